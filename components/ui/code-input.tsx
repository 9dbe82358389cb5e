"use client";

import type { ComponentProps } from "react";
import { Field, type FieldLabels } from "@/components/ui/field";

/**
 * A six-digit code in a single field, so that pasting, autofill and screen readers work normally. `onCode` is called
 * on every change with digits only, and `onComplete` once all six digits are entered.
 */
export function CodeInput({
  label,
  hint,
  error,
  hideLabel,
  id,
  className,
  length = 6,
  onCode,
  onComplete,
  ...input
}: Omit<ComponentProps<"input">, "type" | "onChange"> &
  FieldLabels & { length?: number; onCode?: (code: string) => void; onComplete?: (code: string) => void }) {
  return (
    <Field {...{ label, hint, error, hideLabel, id, className }}>
      {(control) => (
        <input
          {...input}
          {...control}
          type="text"
          inputMode="numeric"
          autoComplete="one-time-code"
          pattern={`[0-9]{${length}}`}
          // Full-width digits of Japanese and Chinese keyboards are accepted. Other characters are dropped.
          onChange={(event) => {
            const code = event.target.value.normalize("NFKC").replace(/\D/g, "").slice(0, length);
            event.target.value = code;
            onCode?.(code);
            if (code.length === length) onComplete?.(code);
          }}
          className="control figures max-w-52 font-mono text-21 tracking-[0.32em]"
        />
      )}
    </Field>
  );
}
