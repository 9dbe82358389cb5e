import { useLocale, useTranslations } from "next-intl";
import { UnitPrice } from "@/components/catalog/product/unit-price";
import { usePassLabels } from "@/components/catalog/use-pass-labels";
import { KeyCode } from "@/components/delivery/key-code";
import { LineRefund } from "@/components/orders/refunds/line-refund";
import { RefundState, RefundSteps } from "@/components/orders/refunds/refund-steps";
import { RefundLine } from "@/components/payments/refund-line";
import { WriteReview } from "@/components/reviews/review-form";
import { useReviewLabels } from "@/components/reviews/use-review-labels";
import { Emblem } from "@/components/ui/emblem";
import { TicketLine } from "@/components/ui/ticket/ticket-line";
import type { OrderDetail, OrderProduct } from "@/lib/orders/contract";
import { lineCents, lineSums } from "@/lib/orders/rules";
import { durationSpan, formatDate } from "@/lib/platform/format";
import { formatPrice } from "@/lib/platform/money";

/** A purchased pass on the order page: its ticket, its codes or their delivery date, and its refund options. */
export function OrderPass({ line, order }: { line: OrderProduct; order: OrderDetail }) {
  const t = useTranslations("orders.pass");
  const locale = useLocale();
  const pass = usePassLabels();
  const review = useReviewLabels();
  const refundRequested = line.refund_request?.state === "asked";
  const isClosed = line.state === "refunded" || line.state === "released";
  const paid = order.paid_at !== null;
  const refunds = order.refunds.filter((refund) => refund.order_product_id === line.order_product_id);
  const missing = line.quantity - line.refunded_quantity - line.keys.length;
  return (
    <div className="@container flex flex-col gap-3">
      <TicketLine
        title={line.product_name}
        href={`/product/${line.slug}`}
        lang={line.language === locale ? undefined : line.language}
        subtitle={`${line.maker} · ${pass.name(line)}`}
        level="h2"
        emblem={<Emblem src={line.product_image} size={80} />}
        hero={durationSpan(line.duration_days, locale)}
        heroLabel={t("lifetime")}
        price={
          <span className="figures font-semibold">
            {lineCents(line) === 0 ? t("free") : formatPrice(lineCents(line), locale)}
          </span>
        }
        note={<UnitPrice line={line} counted />}
      >
        <div>
          {!isClosed && <RefundLine refund={line.refund} />}
          {paid && <PaidPart line={line} />}
        </div>
      </TicketLine>
      {!refundRequested &&
        line.keys.map((key) => (
          <KeyCode key={key.library_id} libraryId={key.library_id} masked={key.masked_code} />
        ))}
      {line.keep_in_library && line.keys.some((key) => key.revealed_at === null) && (
        <p className="text-13 text-quiet">{t("kept")}</p>
      )}
      <RefundState request={line.refund_request} />
      {paid && missing > 0 && line.state === "waiting" && line.deliver_by && (
        <p className="text-quiet">
          {t(line.pre_order ? "pre_order" : "waiting", {
            count: missing,
            date: formatDate(line.deliver_by, locale),
          })}
        </p>
      )}
      {(line.review === "open" || line.can_refund) && (
        <div className="flex flex-wrap gap-x-5">
          {line.review === "open" && (
            <WriteReview
              productId={line.product_id}
              name={line.product_name}
              lang={line.language === locale ? undefined : line.language}
              orderId={order.order_id}
              labels={review}
            />
          )}
          {line.can_refund && <LineRefund line={line} orderId={order.order_id} className="-ml-3" />}
        </div>
      )}
      {line.review === "written" && <p className="text-13 text-quiet">{review.written}</p>}
      <RefundSteps line={line} refunds={refunds} />
    </div>
  );
}

/** The amount paid for a line of a discounted order. This is the amount that can be refunded or was refunded. */
function PaidPart({ line }: { line: OrderProduct }) {
  const t = useTranslations("orders.pass");
  const locale = useLocale();
  const { price, discount, paid } = lineSums(line);
  if (discount === 0) return null;
  const money = (cents: number) => formatPrice(cents, locale);
  return (
    <p className="text-13 text-quiet">
      {t("paid", { paid: money(paid), price: money(price), discount: money(discount) })}
    </p>
  );
}
