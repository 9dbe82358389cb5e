import { formatPrice } from "@/lib/platform/money";
import { Action, Paragraph, SideLink, Title } from "./parts";
import { OrderNumber, orderPath } from "./pass";
import type { MailTemplate } from "./template";

/** `support`: the address for arranging another way to pay the refund. */
export type RefundFailedProps = { orderId: string; amountCents: number; support: string };

export const refundFailedMail: MailTemplate<RefundFailedProps> = {
  subject: ({ amountCents }, { t, locale }) =>
    t("refund_failed.subject", { amount: formatPrice(amountCents, locale) }),
  preview: (_, { t }) => t("refund_failed.lead"),
  body({ orderId, amountCents, support }, context) {
    const { t, link, locale } = context;
    return (
      <>
        <Title>{t("refund_failed.title", { amount: formatPrice(amountCents, locale) })}</Title>
        <Paragraph>{t("refund_failed.lead")}</Paragraph>
        <Paragraph>{t("refund_failed.how")}</Paragraph>
        <SideLink href={`mailto:${support}`}>{support}</SideLink>
        <Action href={link(orderPath(orderId))}>{t("order.open")}</Action>
        <OrderNumber orderId={orderId} context={context} />
      </>
    );
  },
};
