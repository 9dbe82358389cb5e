"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { ShortTime } from "@/components/console/time";
import { ActionDialog } from "@/components/staff/action-dialog";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { TextArea } from "@/components/ui/text-input";
import type { ConsoleMerchantDetail } from "@/lib/merchants/console/contract-merchants";
import { STATE_NOTE_MAX } from "@/lib/merchants/rules";

type Props = {
  id: string;
  request: NonNullable<ConsoleMerchantDetail["proposed_name"]>;
  mayDecide: boolean;
};

/** The name that a merchant requests, and the decision about it. */
export function MerchantName({ id, request: { name, at, version }, mayDecide }: Props) {
  const t = useTranslations("console.merchants");
  const [decision, setDecision] = useState<"approve" | "refuse">();
  return (
    <Notice kind="warn" title={t("name_waits", { name })} className="mb-5">
      <p>
        {t("name_since")} <ShortTime at={at} />
      </p>
      {mayDecide && (
        <p className="flex flex-wrap gap-3 pt-3">
          <Button look="primary" onClick={() => setDecision("approve")}>
            {t("name_approve")}
          </Button>
          <Button onClick={() => setDecision("refuse")}>{t("name_refuse")}</Button>
        </p>
      )}
      {decision && (
        <ActionDialog
          open
          title={t(`name_${decision}_title`, { name })}
          confirm={t(`name_${decision}`)}
          danger={decision === "refuse"}
          done={t(decision === "approve" ? "name_approved" : "name_refused")}
          path={`/admin/merchants/${id}/name/${decision}`}
          body={(fields) =>
            decision === "approve" ? { version } : { version, note: String(fields.get("note") ?? "").trim() }
          }
          fields={
            decision === "refuse" ? (
              <TextArea
                name="note"
                label={t("reason")}
                hint={t("note_hint")}
                required
                maxLength={STATE_NOTE_MAX}
                rows={3}
              />
            ) : undefined
          }
          onClose={() => setDecision(undefined)}
        />
      )}
    </Notice>
  );
}
