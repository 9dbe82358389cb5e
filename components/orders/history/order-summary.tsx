import { useLocale, useTranslations } from "next-intl";
import type { ComponentProps } from "react";
import { UnitPrice } from "@/components/catalog/product/unit-price";
import { usePassLabels } from "@/components/catalog/use-pass-labels";
import { useAddedTax } from "@/components/orders/tax/use-tax-text";
import { RefundLine } from "@/components/payments/refund-line";
import { Dated } from "@/components/ui/dated";
import { DefinitionRows } from "@/components/ui/definition-rows";
import { Emblem } from "@/components/ui/emblem";
import { LocalTimes } from "@/components/ui/local-times";
import { TicketLine } from "@/components/ui/ticket/ticket-line";
import type { OrderDetail, OrderProduct, OrderView } from "@/lib/orders/contract";
import { isPayable, lineCents } from "@/lib/orders/rules";
import { durationSpan, formatDate } from "@/lib/platform/format";
import { formatPrice, toCents } from "@/lib/platform/money";

/** The lines and costs of an order; `sums`: how much of the costs does not stand elsewhere on the page. */
export function OrderSummary({
  order,
  sums = "all",
}: {
  order: OrderView & { tax?: OrderDetail["tax"] };
  sums?: "all" | "discount" | "none";
}) {
  const t = useTranslations("orders.checkout");
  const locale = useLocale();
  const money = (amount: number) => formatPrice(toCents(amount), locale);
  const tax = useAddedTax(order);
  const rows = [];
  if (sums !== "none" && (order.discount_amount > 0 || tax))
    rows.push({ term: t("subtotal"), value: money(order.subtotal) });
  if (sums !== "none" && order.discount_amount > 0)
    rows.push({ term: order.coupon?.title ?? t("discount"), value: `−${money(order.discount_amount)}` });
  if (sums !== "none" && tax) rows.push(tax);
  const sum = order.final_amount === 0 ? t("free") : money(order.final_amount);
  if (sums === "all") rows.push({ term: t("total"), value: sum, strong: true });
  return (
    <div className="flex flex-col gap-3">
      <ul className="flex flex-col gap-3">
        {order.order_products.map((line) => (
          <li key={line.order_product_id}>
            <SummaryLine line={line} refund={isPayable(order.status)} level={sums === "all" ? "h3" : "h2"} />
          </li>
        ))}
      </ul>
      {rows.length > 0 && <DefinitionRows rows={rows} />}
    </div>
  );
}

function SummaryLine({ line, refund, level }: { line: OrderProduct; refund: boolean; level: "h2" | "h3" }) {
  const t = useTranslations("orders.checkout");
  const pass = usePassLabels();
  const locale = useLocale();
  return (
    <OrderTicket
      line={line}
      level={level}
      heroLabel={t("lifetime")}
      subtitle={
        <>
          <p>
            {line.maker} · {pass.name(line)}
          </p>
          {line.added_price !== null && (
            <p className="font-medium text-warn">
              {t("price_rose", { price: formatPrice(toCents(line.added_price), locale) })}
            </p>
          )}
          {line.pre_order && line.deliver_by && (
            <p>
              <LocalTimes of={[line.deliver_by]}>
                {t("pre_order", { date: formatDate(line.deliver_by, locale) })}
              </LocalTimes>
            </p>
          )}
          {line.redeem_by && (
            <p>
              <Dated>
                {t("redeem_by", { count: line.quantity, date: formatDate(line.redeem_by, locale) })}
              </Dated>
            </p>
          )}
          {refund && <RefundLine refund={line.refund} />}
        </>
      }
    />
  );
}

type OrderTicketProps = { line: OrderProduct } & Pick<
  ComponentProps<typeof TicketLine>,
  "heroLabel" | "subtitle" | "href" | "level" | "holes" | "state" | "children"
>;

/** A line of an order as a ticket with its price. */
export function OrderTicket({ line, ...ticket }: OrderTicketProps) {
  const free = useTranslations("orders.checkout")("free");
  const locale = useLocale();
  const cents = lineCents(line);
  return (
    <TicketLine
      {...ticket}
      title={line.product_name}
      lang={line.language === locale ? undefined : line.language}
      emblem={<Emblem src={line.product_image} size={80} />}
      hero={durationSpan(line.duration_days, locale)}
      price={<span className="figures font-semibold">{cents === 0 ? free : formatPrice(cents, locale)}</span>}
      note={<UnitPrice line={line} counted />}
    />
  );
}
