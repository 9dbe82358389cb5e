"use client";

import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import type { SandboxOutcome } from "@/lib/payments/rules";

/** The simulated bank confirmation of the sandbox, labeled as such. */
export function SandboxChallenge({
  open,
  amount,
  closeLabel,
  onClose,
  onDecide,
}: {
  open: boolean;
  amount: string;
  closeLabel: string;
  onClose: () => void;
  onDecide: (outcome: SandboxOutcome) => void;
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
          <Button onClick={() => onDecide("declined")}>{t("refuse")}</Button>
          <Button look="primary" onClick={() => onDecide("succeeded")}>
            {t("approve")}
          </Button>
        </>
      }
    >
      <p>{t("challenge_text", { amount })}</p>
    </Dialog>
  );
}
