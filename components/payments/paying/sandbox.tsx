"use client";

import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Dialog } from "@/components/ui/dialog";
import { SANDBOX_OUTCOMES, type SandboxOutcome } from "@/lib/payments/rules";

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

/** The sandbox replacement of the provider's fields: a picker of payment outcomes without any input. */
export function SandboxOutcomes({
  value,
  disabled,
  onChange,
}: {
  value: SandboxOutcome;
  disabled: boolean;
  onChange: (outcome: SandboxOutcome) => void;
}) {
  const t = useTranslations("payments.sandbox");
  return (
    <fieldset disabled={disabled} className="rounded-ticket border border-dashed border-control p-4 pt-3">
      <legend className="sr-only">{t("title")}</legend>
      <p className="font-semibold" aria-hidden="true">
        {t("title")}
      </p>
      <p className="text-quiet">{t("text")}</p>
      <div className="grid gap-x-6 pt-2 @min-[30rem]:grid-cols-2">
        {SANDBOX_OUTCOMES.map((outcome) => (
          <Checkbox
            key={outcome}
            type="radio"
            name="sandbox-outcome"
            value={outcome}
            checked={value === outcome}
            onChange={() => onChange(outcome)}
            label={t(`outcome.${outcome}`)}
          />
        ))}
      </div>
    </fieldset>
  );
}
