import { formatMoment } from "@/lib/platform/format";
import { formatPrice } from "@/lib/platform/money";
import { Action, Paragraph, Title } from "./parts";
import { OrderNumber, OrderReceipt, type OrderSummary, orderPath, paymentPath, summarizeLines } from "./pass";
import type { MailContext, MailTemplate } from "./template";

export type OrderPlacedProps = OrderSummary & {
  /** Until when an unpaid order is held; null for paid and free orders. */
  payBy: Date | null;
};

function orderPlacedTexts({ payBy, totalCents }: OrderPlacedProps, { t, locale, timeZone }: MailContext) {
  if (payBy)
    return {
      title: t("order_placed.title_held"),
      lead: t("order_placed.lead_held", { moment: formatMoment(payBy, locale, timeZone) }),
    };
  const title = totalCents === 0 ? t("order_placed.title_free") : t("order_placed.title_paid");
  return { title, lead: t("order_placed.lead_paid") };
}

export const orderPlacedMail: MailTemplate<OrderPlacedProps> = {
  subject: ({ payBy, lines }, context) =>
    context.t(payBy ? "order_placed.subject_held" : "order_placed.subject_paid", {
      summary: summarizeLines(lines, context),
    }),
  preview: (props, context) => orderPlacedTexts(props, context).lead,
  body(props, context) {
    const { t, link, locale } = context;
    const { orderId, totalCents, payBy } = props;
    const { title, lead } = orderPlacedTexts(props, context);
    const path = payBy ? paymentPath(orderId) : orderPath(orderId);
    return (
      <>
        <Title>{title}</Title>
        <Paragraph>{lead}</Paragraph>
        <OrderReceipt order={props} context={context} />
        <Action href={link(path)}>
          {payBy ? t("order_placed.pay", { amount: formatPrice(totalCents, locale) }) : t("order.open")}
        </Action>
        <OrderNumber orderId={orderId} context={context} />
      </>
    );
  },
};
