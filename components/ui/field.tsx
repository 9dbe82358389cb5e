import { type ReactNode, useId } from "react";
import { classNames } from "@/components/ui/class-names";
import { Icon } from "@/components/ui/icon";

export type FieldLabels = { label: string; hint?: ReactNode; error?: string; hideLabel?: boolean };
type FieldProps = FieldLabels & { id?: string; className?: string };
export type ControlProps = { id: string; "aria-describedby"?: string; "aria-invalid"?: true };

/** Separates the props of a field from those of its control. */
export function splitField<P extends FieldProps>({
  label,
  hint,
  error,
  hideLabel,
  id,
  className,
  ...control
}: P) {
  return [{ label, hint, error, hideLabel, id, className }, control] as const;
}

/** Label, hint and error around one control. `children` receives the attributes that link them. */
export function Field({
  label,
  hint,
  error,
  hideLabel,
  id: customId,
  className,
  children,
}: FieldProps & { children: (control: ControlProps) => ReactNode }) {
  const generatedId = useId();
  const id = customId ?? generatedId;
  const described = classNames(hint ? `${id}-hint` : "", error ? `${id}-error` : "");
  return (
    <div className={classNames("flex flex-col gap-1.5", className)}>
      <label htmlFor={id} className={hideLabel ? "sr-only" : "font-medium"}>
        {label}
      </label>
      {children({ id, "aria-describedby": described || undefined, "aria-invalid": error ? true : undefined })}
      {hint && (
        <p id={`${id}-hint`} className="text-13 text-quiet">
          {hint}
        </p>
      )}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  );
}

/** A short error below its control. A field links to it by `aria-describedby`. */
export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p id={id} className="flex items-start gap-1.5 text-13 text-bad">
      <Icon name="warn" size={16} className="mt-0.5" />
      {children}
    </p>
  );
}
