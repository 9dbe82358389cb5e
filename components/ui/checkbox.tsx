import { type ComponentProps, type ReactNode, useId } from "react";
import { classNames } from "@/components/ui/class-names";
import { FieldError } from "@/components/ui/field";

type Labels = { label: ReactNode; hint?: ReactNode; error?: string; hideLabel?: boolean };

/** A checkbox, or a radio button with `type="radio"`. The label is part of the click target. */
export function Checkbox({
  label,
  hint,
  error,
  hideLabel,
  className,
  type = "checkbox",
  ...input
}: Omit<ComponentProps<"input">, "type"> & Labels & { type?: "checkbox" | "radio" }) {
  const id = useId();
  const described = classNames(hint ? `${id}-hint` : "", error ? `${id}-error` : "");
  return (
    <div className={className}>
      <label className="hit flex cursor-pointer items-start gap-3 py-2.5">
        <input
          {...input}
          type={type}
          className="check"
          aria-describedby={described || undefined}
          aria-invalid={error ? true : input["aria-invalid"]}
        />
        <span className={hideLabel ? "sr-only" : undefined}>
          {label}
          {hint && (
            <span id={`${id}-hint`} className="block text-13 text-quiet">
              {hint}
            </span>
          )}
        </span>
      </label>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  );
}
