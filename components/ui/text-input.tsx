import type { ComponentProps } from "react";
import { classNames } from "@/components/ui/class-names";
import { Field, type FieldLabels } from "@/components/ui/field";

/** A text field with label, hint and error. `autoComplete`, `inputMode` and similar props are passed to the input. */
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

/** A text field for an email. `autoComplete` defaults to "email". */
export function EmailInput(props: ComponentProps<typeof TextInput>) {
  return (
    <TextInput
      type="email"
      autoComplete="email"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={254}
      {...props}
    />
  );
}

/** A multi-line text field with label, hint and error. */
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
