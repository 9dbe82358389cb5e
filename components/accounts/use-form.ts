"use client";

import { type FormEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { type CallError, useCalls } from "./use-calls";

/** Error messages by field name. */
export type FieldErrors = Partial<Record<string, string>>;

/** Reads the text of a submitted field; "" when the form has no such field. */
export type ReadField = (name: string) => string;

/** A form that makes calls. Showing field errors focuses the first invalid field; a change clears its error. */
export function useForm(networkMessage: string) {
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [problem, setProblem] = useState<string>();

  function show(fieldErrors: FieldErrors): void {
    flushSync(() => setErrors(fieldErrors));
    form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }

  /** Shows an error of the server at the fields it names. */
  function showError({ errors: fieldErrors, message }: Pick<CallError, "errors" | "message">): void {
    if (fieldErrors.length > 0)
      show(Object.fromEntries(fieldErrors.map(({ path, message }) => [path, message])));
    else setProblem(message);
  }

  function clearError({ target }: FormEvent<HTMLFormElement>): void {
    const isControl =
      target instanceof HTMLInputElement ||
      target instanceof HTMLSelectElement ||
      target instanceof HTMLTextAreaElement;
    if (isControl && errors[target.name]) setErrors({ ...errors, [target.name]: undefined });
  }

  /** The props of the form. Its method is `post`, so that a submission before hydration writes nothing into the URL. */
  const formProps = (submit: (text: ReadField, fields: FormData) => unknown) => ({
    ref: form,
    method: "post",
    noValidate: true,
    onChange: clearError,
    onSubmit(event: FormEvent<HTMLFormElement>) {
      event.preventDefault();
      setProblem(undefined);
      const fields = new FormData(event.currentTarget);
      void submit((name) => String(fields.get(name) ?? ""), fields);
    },
  });

  return {
    form,
    errors,
    show,
    showError,
    clearError,
    problem,
    setProblem,
    formProps,
    ...useCalls(networkMessage),
  };
}
