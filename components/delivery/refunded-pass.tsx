import { useLocale, useTranslations } from "next-intl";
import { usePassLabels } from "@/components/catalog/use-pass-labels";
import { Emblem } from "@/components/ui/emblem";
import { Link } from "@/components/ui/link";
import { LocalTimes } from "@/components/ui/local-times";
import { TicketHero } from "@/components/ui/ticket/ticket-hero";
import { TicketOwned } from "@/components/ui/ticket/ticket-owned";
import { REFUNDED_SHOWN_HOURS } from "@/lib/delivery/rules-ticket";
import type { OrderProduct, OrderRefund, OrderView } from "@/lib/orders/contract";
import { durationSpan, formatDate } from "@/lib/platform/format";
import { formatPrice, toCents } from "@/lib/platform/money";

/** A line with a refund of the last hours. */
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

/** A pass that was refunded lately, with amount and date. Its code is no longer the reader's. */
export function RefundedPass({ order, line, refund }: Refunded) {
  const t = useTranslations("delivery.library");
  const pass = useTranslations("orders.pass");
  const labels = usePassLabels();
  const locale = useLocale();
  const span = durationSpan(line.duration_days, locale);
  const values = { amount: formatPrice(toCents(refund.amount), locale), date: formatDate(refund.at, locale) };
  return (
    <TicketOwned
      level="h3"
      title={line.product_name}
      href={`/product/${line.slug}`}
      lang={line.language === locale ? undefined : line.language}
      subtitle={`${line.maker} · ${labels.name(line)}`}
      emblem={<Emblem src={line.product_image} size={56} />}
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
