import type { ComponentProps } from "react";
import { classNames } from "@/components/ui/class-names";
import { Field, type FieldLabels } from "@/components/ui/field";

/** A line of text with its label, hint and error. `autoComplete`, `inputMode` and the like go to the input. */
export function TextInput({
  label,
  hint,
  error,
  hideLabel,
  id,
  className,
  ...input
}: ComponentProps<"input"> & FieldLabels) {
  return (
    <Field {...{ label, hint, error, hideLabel, id, className }}>
      {(control) => <input {...input} {...control} className="control" />}
    </Field>
  );
}

/** Several lines of text. */
export function TextArea({
  label,
  hint,
  error,
  hideLabel,
  id,
  className,
  ...area
}: ComponentProps<"textarea"> & FieldLabels) {
  return (
    <Field {...{ label, hint, error, hideLabel, id, className }}>
      {(control) => (
        <textarea rows={4} {...area} {...control} className={classNames("control", "resize-y")} />
      )}
    </Field>
  );
}
