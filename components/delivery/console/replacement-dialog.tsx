"use client";

import { useTranslations } from "next-intl";
import { ReasonArea } from "@/components/console/reason-area";
import { ActionDialog } from "@/components/staff/action-dialog";
import type { ConsoleReplacement } from "@/lib/delivery/console/contract-replacements";
import { REPLACEMENT_NOTE_MAX } from "@/lib/delivery/rules";

const DECISIONS = { approve: "approved", refuse: "refused" } as const;
export type ReplacementDecision = keyof typeof DECISIONS;

export const passOf = ({ product_name, vip_type }: Pick<ConsoleReplacement, "product_name" | "vip_type">) =>
  `${product_name} · ${vip_type}`;

/** Asks before a replacement request is decided, with what it will do. */
export function ReplacementDialog({
  request,
  decision,
  onClose,
}: {
  request: ConsoleReplacement;
  decision: ReplacementDecision;
  onClose: () => void;
}) {
  const t = useTranslations("console.replacements");
  const refuses = decision === "refuse";
  return (
    <ActionDialog
      open
      title={t(`${decision}_title`, { pass: passOf(request) })}
      confirm={t(decision)}
      danger={refuses}
      done={t(DECISIONS[decision])}
      path={`/admin/replacements/${request.request_id}/${decision}`}
      body={(fields) => ({
        version: request.version,
        ...(refuses && { reason: String(fields.get("reason") ?? "").trim() }),
      })}
      quotes="reason"
      fields={
        refuses ? (
          <ReasonArea
            kind="replacement"
            reader={request.reader}
            sends
            name="reason"
            label={t("reason_label")}
            hint={t("reason_hint")}
            required
            maxLength={REPLACEMENT_NOTE_MAX}
            rows={3}
          />
        ) : undefined
      }
      onClose={onClose}
    />
  );
}
