import { useLocale, useTranslations } from "next-intl";
import { Link } from "@/components/ui/link";
import { LocalTimes } from "@/components/ui/local-times";
import { TicketHero } from "@/components/ui/ticket/ticket-hero";
import { REFUNDED_SHOWN_HOURS } from "@/lib/delivery/rules-ticket";
import type { OrderProduct, OrderRefund, OrderView } from "@/lib/orders/contract";
import { durationSpan, formatDate } from "@/lib/platform/format";
import { formatPrice, toCents } from "@/lib/platform/money";
import { PassTicket } from "./pass-ticket";

/** A line that was refunded in the last hours. */
export type Refunded = { order: OrderView; line: OrderProduct; refund: OrderRefund };

/** The lines that were refunded in the last hours, of these orders. */
export const latelyRefunded = (orders: readonly OrderView[]): Refunded[] =>
  orders.flatMap((order) =>
    order.refunds.flatMap((refund) => {
      const line = order.order_products.find((each) => each.order_product_id === refund.order_product_id);
      const ageMs = Date.parse(order.server_time) - Date.parse(refund.at);
      return line && ageMs < REFUNDED_SHOWN_HOURS * 3_600_000 ? [{ order, line, refund }] : [];
    }),
  );

/** A recently refunded pass, with amount and date. Its code no longer belongs to the reader. */
export function RefundedPass({ order, line, refund }: Refunded) {
  const t = useTranslations("delivery.library");
  const pass = useTranslations("orders.pass");
  const locale = useLocale();
  const span = durationSpan(line.duration_days, locale);
  const values = { amount: formatPrice(toCents(refund.amount), locale), date: formatDate(refund.at, locale) };
  return (
    <PassTicket
      level="h3"
      pass={line}
      state="refunded"
      holes={span}
      clock={<TicketHero span={span} label={pass("lifetime")} />}
      stub={
        <div className="grid h-full content-center justify-items-start gap-1 px-6 py-3">
          <p className="text-13">
            <LocalTimes of={[refund.at]}>
              {t(refund.step === "done" ? "refunded" : "refunding", values)}
            </LocalTimes>
          </p>
          <Link href={`/order-history?order_id=${order.order_id}`} className="text-link text-13">
            {t("order", { number: order.order_number })}
          </Link>
        </div>
      }
    />
  );
}
