import { formatMoment } from "@/lib/platform/format";
import { formatPrice } from "@/lib/platform/money";
import { Action, Paragraph, Title } from "./parts";
import {
  OrderNumber,
  OrderReceipt,
  type OrderSeller,
  type OrderSummary,
  paymentPath,
  SoldBy,
  summarizeLines,
} from "./pass";
import type { MailContext, MailTemplate } from "./template";

export type OrderPlacedProps = OrderSummary & {
  /** Until when the unpaid order is held. */
  payBy: Date;
  sellers: OrderSeller[];
};

const leadText = ({ payBy }: OrderPlacedProps, { t, locale, timeZone }: MailContext) =>
  t("order_placed.lead_held", { moment: formatMoment(payBy, locale, timeZone) });

/** Sent when an order is still unpaid after ten minutes (docs/product.md#42-order-status). */
export const orderPlacedMail: MailTemplate<OrderPlacedProps> = {
  subject: ({ lines }, context) =>
    context.t("order_placed.subject_held", { summary: summarizeLines(lines, context) }),
  preview: leadText,
  body(props, context) {
    const { t, link, locale } = context;
    const { orderId, totalCents } = props;
    return (
      <>
        <Title>{t("order_placed.title_held")}</Title>
        <Paragraph>{leadText(props, context)}</Paragraph>
        <OrderReceipt order={props} context={context} />
        <Action href={link(paymentPath(orderId))}>
          {t("order_placed.pay", { amount: formatPrice(totalCents, locale) })}
        </Action>
        <SoldBy sellers={props.sellers} context={context} />
        <OrderNumber orderId={orderId} context={context} />
      </>
    );
  },
};
