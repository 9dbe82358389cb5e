"use client";

import { useTranslations } from "next-intl";
import { ActionDialog } from "@/components/staff/action-dialog";
import { TextArea } from "@/components/ui/text-input";
import type { ConsoleWarning } from "@/lib/orders/console/contract-warnings";

export type WarningChoice = {
  decision: "refund" | "release";
  warning: Pick<ConsoleWarning, "warning_id" | "order_number" | "version">;
};

/** Refunds an order that a bank warned of, or lets the sale stand; both with a reason for the log. */
export function WarningDialog({
  choice: { decision, warning },
  onClose,
}: {
  choice: WarningChoice;
  onClose: () => void;
}) {
  const t = useTranslations("console.fraud_warnings");
  return (
    <ActionDialog
      open
      title={t(`${decision}_title`, { order: warning.order_number })}
      confirm={t(decision)}
      danger={decision === "refund"}
      done={t(`${decision}_done`)}
      path={`/admin/fraud-warnings/${warning.warning_id}/${decision}`}
      fields={<TextArea name="note" label={t("note")} hint={t("note_hint")} maxLength={500} required />}
      check={(fields) => (String(fields.get("note")).trim().length < 3 ? t("note_missing") : "")}
      body={(fields) => ({ version: warning.version, note: String(fields.get("note")).trim() })}
      onClose={onClose}
    />
  );
}
