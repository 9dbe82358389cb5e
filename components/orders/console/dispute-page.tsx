"use client";

import { useTranslations } from "next-intl";
import { ConsoleLink } from "@/components/console/link";
import { Pill } from "@/components/console/pill";
import { Facts, RecordSection } from "@/components/console/record";
import { RecordBar, type RecordHeading } from "@/components/console/record-page";
import { ShortTime } from "@/components/console/time";
import { DueDate } from "@/components/orders/console/dispute-list";
import { useDisputeTexts } from "@/components/orders/console/dispute-texts";
import { EvidenceButton } from "@/components/orders/console/evidence-button";
import { Notes } from "@/components/staff/notes";
import { useSurface } from "@/components/ui/surface";
import type { ConsoleDisputeDetail } from "@/lib/orders/console/contract-disputes";
import { formatPrice, toCents } from "@/lib/platform/money";
import type { Mentionable } from "@/lib/staff/notes/rules";

/** One disputed payment: its facts, the evidence for the bank, and the notes about its order. */
export function DisputeRecord({
  dispute,
  people,
  mayTake,
  mayWrite,
  heading = "h1",
}: {
  dispute: ConsoleDisputeDetail;
  /** whom notes may name */
  people: readonly Mentionable[];
  mayTake: boolean;
  mayWrite: boolean;
  heading?: RecordHeading;
}) {
  const t = useTranslations("console.disputes");
  const texts = useDisputeTexts();
  const { locale } = useSurface();
  return (
    <>
      <RecordBar
        title={dispute.dispute_id}
        heading={heading}
        states={<Pill tone={texts.tone(dispute.status)}>{texts.status(dispute.status)}</Pill>}
        sum={formatPrice(toCents(dispute.amount), locale)}
      >
        {mayTake && <EvidenceButton disputeId={dispute.dispute_id} look="primary" />}
      </RecordBar>
      <div className="pb-7">
        <Facts
          rows={[
            [t("due"), <DueDate key="due" dispute={dispute} />],
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
          <p className="max-w-text text-quiet">
            {t("evidence_text")} {dispute.is_open && t("answer")}
          </p>
        </RecordSection>
      )}
      <RecordSection title={t("notes")}>
        <Notes
          path={`/admin/orders/${dispute.order_id}/note`}
          notes={dispute.notes}
          people={people}
          mayWrite={mayWrite}
        />
      </RecordSection>
    </>
  );
}
