import type { ComponentProps } from "react";
import { Field, type FieldLabels, splitField } from "@/components/ui/field";
import { Icon } from "@/components/ui/icon";

export type Option = { value: string; label: string; lang?: string };

/** A native select, styled like the other controls. */
export function Select({
  options,
  ...props
}: ComponentProps<"select"> & FieldLabels & { options: readonly Option[] }) {
  const [field, select] = splitField(props);
  return (
    <Field {...field}>
      {(control) => (
        <span className="relative block">
          <select {...select} {...control} className="control cursor-pointer">
            {options.map((option) => (
              <option key={option.value} value={option.value} lang={option.lang}>
                {option.label}
              </option>
            ))}
          </select>
          <Icon
            name="down"
            size={18}
            className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2 text-quiet"
          />
        </span>
      )}
    </Field>
  );
}
