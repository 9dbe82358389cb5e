"use client";

import { type FormEvent, type RefObject, useState } from "react";
import { flushSync } from "react-dom";
import { focusFirstInvalid } from "@/components/ui/focus-first-invalid";

/** Error messages by field name. */
export type FieldErrors = Partial<Record<string, string>>;

/** The errors of a form. Showing them focuses the first invalid field. Changing a field clears its error. */
export function useFieldErrors(form: RefObject<HTMLFormElement | null>) {
  const [errors, setErrors] = useState<FieldErrors>({});

  function show(fieldErrors: FieldErrors): void {
    flushSync(() => setErrors(fieldErrors));
    focusFirstInvalid(form.current);
  }

  function clearError(event: FormEvent<HTMLFormElement>): void {
    const { target } = event;
    const isControl = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
    const name = isControl ? target.name : "";
    if (errors[name]) setErrors({ ...errors, [name]: undefined });
  }

  return { errors, show, clearError };
}
