"use client";

import { useId } from "react";
import { FieldError } from "@/components/ui/field";
import { AGE_GROUPS, type AgeGroup } from "@/lib/accounts/rules";

/** Selects the age group in one line (docs/product.md#51-fields). Under 13 shows why registration is not possible. */
export function AgeChoice({
  labels,
  chosen,
  error,
  defaultValue,
}: {
  labels: { ageLegend: string; ages: Record<AgeGroup, string>; guardian: string };
  chosen: AgeGroup | null;
  error?: string;
  defaultValue?: AgeGroup | null;
}) {
  const id = useId();
  return (
    <fieldset aria-describedby={`${id}-hint${error ? ` ${id}` : ""}`}>
      <legend className="pb-1 font-medium">{labels.ageLegend}</legend>
      <div className="grid grid-cols-3 gap-2">
        {AGE_GROUPS.map((group) => (
          <label
            key={group}
            className="control relative grid place-items-center px-1! text-center has-checked:bg-ink has-checked:text-paper has-focus-visible:outline-2 has-focus-visible:outline-offset-2"
          >
            <input
              type="radio"
              className="absolute inset-0 cursor-pointer opacity-0"
              name="age_group"
              value={group}
              defaultChecked={defaultValue === group}
              required
              aria-invalid={error && (chosen === null || chosen === group) ? true : undefined}
            />
            {labels.ages[group]}
          </label>
        ))}
      </div>
      <p id={`${id}-hint`} className="pt-1 text-13 text-quiet">
        {labels.guardian}
      </p>
      <div aria-live="polite">{error && <FieldError id={id}>{error}</FieldError>}</div>
    </fieldset>
  );
}
