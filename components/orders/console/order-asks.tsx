"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { ConsoleLink } from "@/components/console/link";
import { Pill } from "@/components/console/pill";
import { RecordCard } from "@/components/console/record-page";
import { Age, TimeLeft } from "@/components/console/time";
import {
  passOf,
  type ReplacementDecision,
  ReplacementDialog,
} from "@/components/delivery/console/replacement-dialog";
import type { OrderRights } from "@/components/orders/console/order-actions";
import {
  passName,
  type RefundDecision,
  RefundDialog,
  useRefundWhy,
} from "@/components/orders/console/refund-dialog";
import { Shown } from "@/components/orders/console/warning-codes";
import { Button } from "@/components/ui/button";
import { useSurface } from "@/components/ui/surface";
import type { ConsoleReplacement } from "@/lib/delivery/console/contract-replacements";
import type { ConsoleOrderDetail } from "@/lib/orders/console/contract-detail";
import type { ConsoleRefund } from "@/lib/orders/console/contract-refunds";
import { formatPrice, toCents } from "@/lib/platform/money";

type RefundChoice = { kind: RefundDecision; refund: ConsoleRefund };
type ReplacementChoice = { decision: ReplacementDecision; request: ConsoleReplacement };

/** What the buyer asks now, each with its decision; refunds that failed; open disputes. */
export function OrderAsks({ order, may }: { order: ConsoleOrderDetail; may: OrderRights }) {
  const [refund, setRefund] = useState<RefundChoice>();
  const [replacement, setReplacement] = useState<ReplacementChoice>();
  const { refunds, failed_refunds, replacements } = order.requests;
  const warnings = order.fraud_warnings.filter(({ decided_at }) => decided_at === null);
  const disputes = order.disputes.filter(({ is_open }) => is_open);
  return (
    <>
      {refunds.map((each) => (
        <RefundAsk key={each.refund_id} refund={each} mayDecide={may.refunds} onDecide={setRefund} />
      ))}
      {replacements.map((each) => (
        <ReplacementAsk
          key={each.request_id}
          request={each}
          mayDecide={may.replacements}
          onDecide={setReplacement}
        />
      ))}
      {failed_refunds.map((each) => (
        <RefundAsk key={each.refund_id} failed refund={each} mayDecide={may.refunds} onDecide={setRefund} />
      ))}
      {warnings.map((each) => (
        <FraudWarning key={each.warning_id} warning={each} keys={order.keys} />
      ))}
      {disputes.map((each) => (
        <Dispute key={each.dispute_id} dispute={each} />
      ))}
      {refund && <RefundDialog {...refund} onClose={() => setRefund(undefined)} />}
      {replacement && <ReplacementDialog {...replacement} onClose={() => setReplacement(undefined)} />}
    </>
  );
}

const BUTTONS = "flex flex-wrap gap-2 pt-2";

/** A refund that waits for a decision; `failed`: one that was decided and did not arrive. */
function RefundAsk({
  refund,
  failed = false,
  mayDecide,
  onDecide,
}: {
  refund: ConsoleRefund;
  failed?: boolean;
  mayDecide: boolean;
  onDecide: (action: RefundChoice) => void;
}) {
  const t = useTranslations("console.order_asks");
  const queue = useTranslations("console.refunds");
  const why = useRefundWhy();
  const { locale } = useSurface();
  const amount = formatPrice(toCents(refund.amount), locale);
  return (
    <RecordCard
      asks
      title={
        failed
          ? t("refund_failed", { amount })
          : t("refund", { amount, pass: passName(refund) ?? queue("whole_order") })
      }
    >
      <p className="flex flex-wrap items-center gap-x-2">
        {refund.answer_by && !failed && (
          <span className="font-medium">
            {t("left")} <TimeLeft until={refund.answer_by} late={queue("late_by")} />
          </span>
        )}
        {refund.disputed && <Pill tone="bad">{queue("disputed")}</Pill>}
        <span className="text-quiet">{why(refund)}</span>
        {refund.asked_by && (
          <span className="text-13 text-quiet">{queue("asked_by", { who: refund.asked_by })}</span>
        )}
      </p>
      {mayDecide && !refund.disputed && (
        <div className={BUTTONS}>
          {failed ? (
            <Button look="primary" onClick={() => onDecide({ kind: "settle", refund })}>
              {queue("settle")}
            </Button>
          ) : (
            <>
              <Button look="primary" onClick={() => onDecide({ kind: "approve", refund })}>
                {t("approve_refund", { amount })}
              </Button>
              <Button onClick={() => onDecide({ kind: "refuse", refund })}>{queue("refuse")}</Button>
            </>
          )}
        </div>
      )}
    </RecordCard>
  );
}

/** A warning of the bank with what was shown when; it is decided on its own page. */
function FraudWarning({
  warning: { fraud_type, created_at },
  keys,
}: {
  warning: ConsoleOrderDetail["fraud_warnings"][number];
  keys: ConsoleOrderDetail["keys"];
}) {
  const t = useTranslations("console.fraud_warnings");
  return (
    <RecordCard asks title={t("ask")}>
      <p className="flex flex-wrap items-center gap-x-2">
        {fraud_type && <Pill tone="bad">{fraud_type.replaceAll("_", " ")}</Pill>}
        <span className="text-13 text-quiet">
          <Age at={created_at} />
        </span>
      </p>
      <Shown codes={keys} />
      <ConsoleLink
        href="/console/fraud-warnings"
        className="text-link inline-flex min-h-9 items-center text-13"
      >
        {t("decide")}
      </ConsoleLink>
    </RecordCard>
  );
}

function ReplacementAsk({
  request,
  mayDecide,
  onDecide,
}: {
  request: ConsoleReplacement;
  mayDecide: boolean;
  onDecide: (choice: ReplacementChoice) => void;
}) {
  const t = useTranslations("console.order_asks");
  const queue = useTranslations("console.replacements");
  const { blocked_by: block } = request;
  return (
    <RecordCard asks title={t("replacement", { pass: passOf(request) })}>
      <q className="block whitespace-pre-wrap wrap-anywhere">{request.reason}</q>
      <p className="flex flex-wrap items-center gap-x-2 text-13 text-quiet">
        <Age at={request.asked_at} />
        <span>· {t("shown", { count: request.shown })}</span>
        <span>· {t("stock", { count: request.stock })}</span>
        <span>· {queue("earlier_text", { count: request.earlier, approved: request.earlier_approved })}</span>
        {request.asked_by && <span>· {queue("asked_by", { email: request.asked_by })}</span>}
        {block && <Pill tone="bad">{queue(`blocked.${block}`)}</Pill>}
      </p>
      {mayDecide && block !== "own_request" && (
        <div className={BUTTONS}>
          {!block && (
            <Button look="primary" onClick={() => onDecide({ request, decision: "approve" })}>
              {queue("approve")}
            </Button>
          )}
          <Button onClick={() => onDecide({ request, decision: "refuse" })}>{queue("refuse")}</Button>
        </div>
      )}
    </RecordCard>
  );
}

function Dispute({ dispute }: { dispute: ConsoleOrderDetail["disputes"][number] }) {
  const t = useTranslations("console.order_asks");
  const { locale } = useSurface();
  return (
    <RecordCard asks title={t("dispute", { amount: formatPrice(toCents(dispute.amount), locale) })}>
      <p className="text-quiet">{t("dispute_text")}</p>
      <ConsoleLink href={`/console/disputes/${dispute.dispute_id}`} className="text-link">
        {t("dispute_open")}
      </ConsoleLink>
    </RecordCard>
  );
}
