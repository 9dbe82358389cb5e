"use client";

import type { ComponentProps } from "react";
import { Field, type FieldLabels, splitField } from "@/components/ui/field";
import { isComposing, typedDigits } from "@/components/ui/typed-digits";

const LENGTH = 6;

type Props = Omit<ComponentProps<"input">, "type" | "onChange"> &
  FieldLabels & { onCode?: (code: string) => void; onComplete?: (code: string) => void };

/** A six-digit code in a single field, so that pasting, autofill and screen readers work normally. */
export function CodeInput({ onCode, onComplete, ...props }: Props) {
  const [field, input] = splitField(props);
  function accept(control: HTMLInputElement) {
    const code = typedDigits(control.value, LENGTH);
    control.value = code;
    onCode?.(code);
    if (code.length === LENGTH) onComplete?.(code);
  }
  return (
    <Field {...field}>
      {(control) => (
        <input
          {...input}
          {...control}
          type="text"
          inputMode="numeric"
          autoComplete="one-time-code"
          pattern={`[0-9]{${LENGTH}}`}
          onChange={(event) => isComposing(event) || accept(event.currentTarget)}
          onCompositionEnd={(event) => accept(event.currentTarget)}
          className="control figures max-w-52 font-mono text-21 tracking-[0.32em]"
        />
      )}
    </Field>
  );
}
