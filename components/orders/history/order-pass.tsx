import { useLocale, useTranslations } from "next-intl";
import type { ComponentProps } from "react";
import { useBuyAgainLabels } from "@/components/cart/buy-again-labels";
import { usePassLabels } from "@/components/catalog/use-pass-labels";
import { LooseCodes } from "@/components/delivery/loose-codes";
import { passHoles } from "@/components/delivery/owned-pass";
import { BuyGiftAgain } from "@/components/orders/gifts/buy-gift-again";
import { LineRefund } from "@/components/orders/refunds/line-refund";
import { RefundState, RefundSteps } from "@/components/orders/refunds/refund-steps";
import { RefundLine } from "@/components/payments/refund-line";
import { WriteReview } from "@/components/reviews/review-form";
import { LocalTimes } from "@/components/ui/local-times";
import { passState } from "@/lib/delivery/rules-ticket";
import type { OrderDetail, OrderProduct } from "@/lib/orders/contract";
import { isGivenAway, isRefusedByStaff, lineSums, staysInLibrary } from "@/lib/orders/rules";
import { formatDate } from "@/lib/platform/format";
import { formatPrice } from "@/lib/platform/money";
import { OrderTicket } from "./order-summary";

/** A purchased pass on the order page: its ticket, its codes or their delivery date, and its refund options. */
export function OrderPass({ line, order }: { line: OrderProduct; order: OrderDetail }) {
  const t = useTranslations("orders.pass");
  const locale = useLocale();
  const pass = usePassLabels();
  const review = useTranslations("reviews");
  const refundRequested = line.refund_request?.state === "asked";
  const isClosed = line.state === "refunded" || line.state === "released";
  const paid = order.paid_at !== null;
  // A line that waits for its codes is not bought again by mistake.
  const canBuyAgain = paid && line.price > 0 && line.state !== "waiting";
  const again = useBuyAgainLabels();
  const refunds = order.refunds.filter((refund) => refund.order_product_id === line.order_product_id);
  const missing = line.quantity - line.refunded_quantity - line.keys.length;
  return (
    <div className="@container flex flex-col gap-3">
      <OrderTicket
        line={line}
        {...lineTicket(line, order)}
        href={`/product/${line.slug}`}
        subtitle={`${line.maker} · ${pass.name(line)}`}
        level="h2"
        heroLabel={t("lifetime")}
      >
        <div>
          {!isClosed && !isRefusedByStaff(line) && <RefundLine refund={line.refund} />}
          {paid && <PaidPart line={line} />}
        </div>
      </OrderTicket>
      {!refundRequested && (
        <LooseCodes
          line={line}
          serverTime={order.server_time}
          locale={locale}
          withdrawal={order.withdrawal_applies}
        />
      )}
      {order.status !== "shipped" && staysInLibrary(line) && line.keys.some((key) => !key.seen) && (
        <p className="text-13 text-quiet">{t(order.withdrawal_applies ? "kept" : "kept_plain")}</p>
      )}
      <RefundState request={line.refund_request} />
      {paid &&
        order.order_products.length > 1 &&
        missing > 0 &&
        line.state === "waiting" &&
        line.deliver_by && (
          <p className="text-quiet">
            <LocalTimes of={[line.deliver_by]}>
              {t(line.pre_order ? "pre_order" : "waiting", {
                count: missing,
                date: formatDate(line.deliver_by, locale),
              })}
            </LocalTimes>
          </p>
        )}
      {(line.review === "open" || line.can_refund || canBuyAgain) && (
        <div className="flex flex-wrap items-center gap-x-5">
          {line.review === "open" && (
            <WriteReview
              productId={line.product_id}
              name={line.product_name}
              lang={line.language === locale ? undefined : line.language}
              orderId={order.order_id}
            />
          )}
          {line.can_refund && <LineRefund line={line} orderId={order.order_id} className="-ml-3" />}
          {canBuyAgain && (
            <span className="first:-ml-3">
              <BuyGiftAgain
                gift={order.gift}
                plan={line}
                name={`${line.product_name}, ${pass.name(line)}`}
                labels={again}
              />
            </span>
          )}
        </div>
      )}
      {line.review === "written" && <p className="text-13 text-quiet">{review("written")}</p>}
      <RefundSteps line={line} refunds={refunds} />
    </div>
  );
}

/** The shape and the holes of a line's ticket: those of its pass, where it is one. */
function lineTicket(
  line: OrderProduct,
  order: OrderDetail,
): Pick<ComponentProps<typeof OrderTicket>, "holes" | "state"> {
  if (line.state === "refunded") return { state: "refunded" };
  if (line.state === "waiting") return { state: "waiting" };
  if (order.gift && isGivenAway(order)) return { state: "gift" };
  const [key, ...more] = line.keys;
  if (!key || more.length > 0) return {};
  return {
    state: passState(key, order.server_time),
    holes: passHoles({ ...key, duration_days: line.duration_days }, order.server_time),
  };
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
