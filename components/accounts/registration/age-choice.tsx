"use client";

import { useId } from "react";
import { FieldError } from "@/components/ui/field";
import { AGE_GROUPS, type AgeGroup } from "@/lib/accounts/rules";

/** Selects the age group (docs/product.md#51-fields). Under 13 shows why registration is not possible. */
export function AgeChoice({
  legend,
  labels,
  chosen,
  error,
}: {
  legend: string;
  labels: Record<AgeGroup, string>;
  chosen: AgeGroup | null;
  error?: string;
}) {
  const id = useId();
  return (
    <fieldset aria-describedby={error ? id : undefined}>
      <legend className="pb-1 font-medium">{legend}</legend>
      {AGE_GROUPS.map((group) => (
        <label key={group} className="hit flex cursor-pointer items-start gap-3 py-2.5">
          <input
            type="radio"
            className="check"
            name="age_group"
            value={group}
            required
            aria-invalid={error && (chosen === null || chosen === group) ? true : undefined}
          />
          {labels[group]}
        </label>
      ))}
      <div aria-live="polite">{error && <FieldError id={id}>{error}</FieldError>}</div>
    </fieldset>
  );
}
