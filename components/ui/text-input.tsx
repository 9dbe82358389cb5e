import type { ComponentProps } from "react";
import { Field, type FieldLabels, splitField } from "@/components/ui/field";

/** A text field with label, hint and error. `autoComplete`, `inputMode` and similar props are passed to the input. */
export function TextInput(props: ComponentProps<"input"> & FieldLabels) {
  const [field, input] = splitField(props);
  return <Field {...field}>{(control) => <input {...input} {...control} className="control" />}</Field>;
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
export function TextArea(props: ComponentProps<"textarea"> & FieldLabels) {
  const [field, area] = splitField(props);
  return (
    <Field {...field}>
      {(control) => <textarea rows={4} {...area} {...control} className="control resize-y" />}
    </Field>
  );
}
