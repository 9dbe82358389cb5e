import { useLocale, useTranslations } from "next-intl";
import { classNames } from "@/components/ui/class-names";
import { LocalTime } from "@/components/ui/local-time";
import { LocalTimes } from "@/components/ui/local-times";
import type { OrderProduct, OrderRefund } from "@/lib/orders/contract";
import { formatDate, formatMoment } from "@/lib/platform/format";
import { formatPrice, toCents } from "@/lib/platform/money";

type Step = { text: string; at: string | null; tone: "done" | "now" | "bad" };

/** The steps of a line's refund: requested, approved, processing, refunded or failed. */
export function RefundSteps({
  line,
  refunds,
}: {
  line?: OrderProduct;
  /** the refunds of this line, or of the whole order when there is no line */
  refunds: readonly OrderRefund[];
}) {
  const t = useTranslations("orders.refund_step");
  const steps = useSteps(line, refunds);
  if (steps.length === 0) return null;
  return (
    <ol aria-label={t("label")} className="flex flex-col gap-2 border-l border-hairline pl-4">
      {steps.map((step) => (
        <li key={`${step.text} ${step.at}`} className="flex flex-wrap justify-between gap-x-6">
          <span
            className={classNames(
              step.tone === "now" && "font-medium",
              step.tone === "bad" && "font-medium text-bad",
              step.tone === "done" && "text-quiet",
            )}
          >
            {step.text}
          </span>
          {step.at && <LocalTime at={step.at} className="figures text-13 text-quiet" />}
        </li>
      ))}
    </ol>
  );
}

function useSteps(line: OrderProduct | undefined, refunds: readonly OrderRefund[]): Step[] {
  const t = useTranslations("orders.refund_step");
  const locale = useLocale();
  const request = line?.refund_request ?? null;
  const steps: Step[] = [];
  if (request) steps.push({ text: t("asked"), at: request.asked_at, tone: "done" });
  if (request?.state === "asked")
    steps.push({
      text: t(request.stated_country ? "waiting_country" : "waiting"),
      at: request.answer_by,
      tone: "now",
    });
  if (request?.refused_by) steps.push({ text: t(`refused.${request.refused_by}`), at: null, tone: "bad" });
  if (request?.state === "approved") steps.push({ text: t("approved"), at: null, tone: "done" });
  for (const refund of [...refunds].reverse()) {
    const amount = formatPrice(toCents(refund.amount), locale);
    const tone = refund.step === "done" ? "done" : refund.step === "failed" ? "bad" : "now";
    steps.push({ text: t(refund.step, { amount }), at: refund.at, tone });
  }
  return steps;
}

/** The state of a refund request, until it is approved: then the refund itself is shown. */
export function RefundState({
  request,
  name,
}: {
  request: OrderProduct["refund_request"];
  /** The name of the pass, where several could be meant. */
  name?: string;
}) {
  const t = useTranslations("orders.refund");
  const locale = useLocale();
  if (!request || request.state === "approved") return null;
  const { refused_by, refusal_reason: reason } = request;
  const refusal = reason ? t("refused_because", { reason }) : t(`refused.${refused_by ?? "shop"}`);
  const text =
    request.state === "asked" && request.answer_by
      ? t(request.stated_country ? "asked_country" : "asked", {
          asked: formatDate(request.asked_at, locale),
          moment: formatMoment(request.answer_by, locale),
        })
      : refusal;
  return (
    <div className="text-quiet">
      {name && <p className="font-medium text-ink">{name}</p>}
      <p>
        <LocalTimes of={[request.asked_at, request.answer_by]}>{text}</LocalTimes>
      </p>
    </div>
  );
}
