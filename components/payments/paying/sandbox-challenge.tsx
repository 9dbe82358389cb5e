"use client";

import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
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
