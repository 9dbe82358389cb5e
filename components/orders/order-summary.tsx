import { useLocale, useTranslations } from "next-intl";
import { RefundLine } from "@/components/payments/refund-line";
import { DefinitionRows } from "@/components/ui/definition-rows";
import { Emblem } from "@/components/ui/emblem";
import { TicketLine } from "@/components/ui/ticket-line";
import { durationSpan, formatDate } from "@/lib/format";
import { formatPrice, toCents } from "@/lib/money";
import type { OrderProduct, OrderView } from "@/lib/orders/contract";

type Summed = Pick<OrderView, "order_products" | "subtotal" | "discount_amount" | "final_amount">;

/** What is in an order and what it costs. */
export function OrderSummary({ order }: { order: Summed }) {
  const t = useTranslations("orders.checkout");
  const locale = useLocale();
  const money = (amount: number) => formatPrice(toCents(amount), locale);
  const total = order.final_amount === 0 ? t("free") : money(order.final_amount);
  const rows = [{ term: t("total"), value: total, strong: true }];
  if (order.discount_amount > 0)
    rows.unshift(
      { term: t("subtotal"), value: money(order.subtotal), strong: false },
      { term: t("discount"), value: `−${money(order.discount_amount)}`, strong: false },
    );
  return (
    <div className="flex flex-col gap-3">
      <ul className="flex flex-col gap-3">
        {order.order_products.map((line) => (
          <li key={line.order_product_id}>
            <SummaryLine line={line} />
          </li>
        ))}
      </ul>
      <DefinitionRows rows={rows} />
    </div>
  );
}

function SummaryLine({ line }: { line: OrderProduct }) {
  const t = useTranslations("orders.checkout");
  const locale = useLocale();
  return (
    <TicketLine
      title={line.product_name}
      lang={line.language === locale ? undefined : line.language}
      emblem={<Emblem src={line.product_image} size={80} />}
      hero={durationSpan(line.duration_days, locale)}
      heroLabel={t("lifetime")}
      price={
        <span className="figures font-semibold">
          {line.total === 0 ? t("free") : formatPrice(toCents(line.total), locale)}
        </span>
      }
      note={line.quantity > 1 ? t("quantity", { count: line.quantity }) : undefined}
      subtitle={
        <>
          <p>{line.maker}</p>
          {line.pre_order && line.deliver_by && (
            <p>{t("pre_order", { date: formatDate(line.deliver_by, locale) })}</p>
          )}
          <RefundLine refund={line.refund} />
        </>
      }
    />
  );
}
