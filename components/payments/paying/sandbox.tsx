"use client";

import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Dialog } from "@/components/ui/dialog";

/** The simulated bank confirmation of the sandbox, labeled as such. */
export function SandboxChallenge({
  open,
  text,
  closeLabel,
  onClose,
  onDecide,
}: {
  open: boolean;
  text: string;
  closeLabel: string;
  onClose: () => void;
  onDecide: (approved: boolean) => void;
}) {
  const t = useTranslations("payments.sandbox");
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t("challenge_title")}
      closeLabel={closeLabel}
      actions={
        <>
          <Button onClick={() => onDecide(false)}>{t("refuse")}</Button>
          <Button look="primary" onClick={() => onDecide(true)}>
            {t("approve")}
          </Button>
        </>
      }
    >
      <p>{text}</p>
    </Dialog>
  );
}

/** The sandbox replacement of the provider's fields: a choice of outcomes or test cards without any input. */
export function SandboxChoice<Option extends string>({
  title,
  text,
  disabled,
  options,
  label,
  value,
  onChange,
}: {
  title: string;
  text: string;
  disabled: boolean;
  options: readonly Option[];
  label: (option: Option) => string;
  value: Option;
  onChange: (option: Option) => void;
}) {
  return (
    <fieldset disabled={disabled} className="rounded-ticket border border-dashed border-control p-4 pt-3">
      <legend className="sr-only">{title}</legend>
      <p className="font-semibold" aria-hidden="true">
        {title}
      </p>
      <p className="text-quiet">{text}</p>
      <div className="grid gap-x-6 pt-2 @min-[30rem]:grid-cols-2">
        {options.map((option) => (
          <Checkbox
            key={option}
            type="radio"
            name="sandbox"
            value={option}
            checked={value === option}
            onChange={() => onChange(option)}
            label={label(option)}
          />
        ))}
      </div>
    </fieldset>
  );
}
