"use client";

import { useTranslations } from "next-intl";
import { ConsoleLink } from "@/components/console/link";
import { ConsoleHeader } from "@/components/console/page-header";
import { Pill } from "@/components/console/pill";
import { Facts, RecordSection } from "@/components/console/record";
import { ShortTime } from "@/components/console/time";
import { DueDate } from "@/components/orders/console/dispute-list";
import { useDisputeTexts } from "@/components/orders/console/dispute-texts";
import { EvidenceButton } from "@/components/orders/console/evidence-button";
import { Notes } from "@/components/staff/notes";
import { useSurface } from "@/components/ui/surface";
import type { ConsoleDisputeDetail } from "@/lib/orders/console/contract-disputes";
import { formatPrice, toCents } from "@/lib/platform/money";

/** One disputed payment: its facts, the evidence for the bank, and the notes about its order. */
export function DisputeRecord({
  dispute,
  mayTake,
  mayWrite,
}: {
  dispute: ConsoleDisputeDetail;
  mayTake: boolean;
  mayWrite: boolean;
}) {
  const t = useTranslations("console.disputes");
  const texts = useDisputeTexts();
  const { locale } = useSurface();
  return (
    <>
      <ConsoleHeader title={dispute.dispute_id}>
        <Pill tone={texts.tone(dispute.status)}>{texts.status(dispute.status)}</Pill>
      </ConsoleHeader>
      <div className="pb-7">
        <Facts
          rows={[
            [t("due"), <DueDate key="due" dispute={dispute} />],
            [t("amount"), formatPrice(toCents(dispute.amount), locale)],
            [t("reason"), texts.reason(dispute.reason)],
            [
              t("order"),
              <ConsoleLink key="o" href={`/console/orders/${dispute.order_number}`} className="text-link">
                {dispute.order_number}
              </ConsoleLink>,
            ],
            [
              t("buyer"),
              <ConsoleLink key="c" href={`/console/customers/${dispute.customer_id}`} className="text-link">
                {dispute.email}
              </ConsoleLink>,
            ],
            [t("payment"), dispute.transaction_id],
            [t("opened"), <ShortTime key="at" at={dispute.created_at} />],
            dispute.closed_at !== null && [t("ended"), <ShortTime key="end" at={dispute.closed_at} />],
          ]}
        />
      </div>
      {mayTake && (
        <RecordSection title={t("evidence")}>
          <p className="max-w-text pb-3 text-quiet">
            {t("evidence_text")} {dispute.is_open && t("answer")}
          </p>
          <EvidenceButton disputeId={dispute.dispute_id} look="primary" />
        </RecordSection>
      )}
      <RecordSection title={t("notes")}>
        <Notes path={`/admin/orders/${dispute.order_id}/note`} notes={dispute.notes} mayWrite={mayWrite} />
      </RecordSection>
    </>
  );
}
