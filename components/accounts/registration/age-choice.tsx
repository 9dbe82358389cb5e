"use client";

import { useId } from "react";
import { FieldError } from "@/components/ui/field";
import { AGE_GROUPS, type AgeGroup } from "@/lib/accounts/rules";

/** Selects the age group (docs/product.md#51-fields). Under 13 shows why registration is not possible. */
export function AgeChoice({
  labels,
  chosen,
  error,
  defaultValue,
}: {
  labels: { ageLegend: string; ages: Record<AgeGroup, string> };
  chosen: AgeGroup | null;
  error?: string;
  defaultValue?: AgeGroup | null;
}) {
  const id = useId();
  return (
    <fieldset aria-describedby={error ? id : undefined}>
      <legend className="pb-1 font-medium">{labels.ageLegend}</legend>
      {AGE_GROUPS.map((group) => (
        <label key={group} className="hit flex cursor-pointer items-start gap-3 py-2.5">
          <input
            type="radio"
            className="check"
            name="age_group"
            value={group}
            defaultChecked={defaultValue === group}
            required
            aria-invalid={error && (chosen === null || chosen === group) ? true : undefined}
          />
          {labels.ages[group]}
        </label>
      ))}
      <div aria-live="polite">{error && <FieldError id={id}>{error}</FieldError>}</div>
    </fieldset>
  );
}
