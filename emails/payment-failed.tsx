import { formatMoment } from "@/lib/platform/format";
import { Action, Paragraph, Title } from "./parts";
import { OrderNumber, OrderReceipt, type OrderSummary, orderPath, paymentPath, summarizeLines } from "./pass";
import type { MailContext, MailTemplate } from "./template";

export type PaymentFailedProps = OrderSummary & {
  /** Until when the order can be paid; null if the hold has ended. */
  holdEndsAt: Date | null;
};

function lead({ holdEndsAt }: PaymentFailedProps, { t, locale, timeZone }: MailContext): string {
  return holdEndsAt
    ? t("payment_failed.lead_held", { moment: formatMoment(holdEndsAt, locale, timeZone) })
    : t("payment_failed.lead_released");
}

export const paymentFailedMail: MailTemplate<PaymentFailedProps> = {
  subject: ({ lines }, context) =>
    context.t("payment_failed.subject", { summary: summarizeLines(lines, context) }),
  preview: lead,
  body(props, context) {
    const { t, link } = context;
    const { orderId, holdEndsAt } = props;
    const path = holdEndsAt ? paymentPath(orderId) : orderPath(orderId);
    return (
      <>
        <Title>{t("payment_failed.title")}</Title>
        <Paragraph>{lead(props, context)}</Paragraph>
        <OrderReceipt order={props} context={context} />
        <Action href={link(path)}>{holdEndsAt ? t("payment_failed.action") : t("order.open")}</Action>
        <OrderNumber orderId={orderId} context={context} />
      </>
    );
  },
};
