import { formatPrice } from "@/lib/platform/money";
import { Action, Paragraph, Title } from "./parts";
import { OrderNumber, orderPath, type PassLine, Receipt } from "./pass";
import type { MailTemplate } from "./template";

/** Why money goes back: the buyer asked, or withdrew from the purchase, the deadline passed, the payment came when all was sold, or does not pay for anything. */
export type RefundCause =
  | "requested"
  | "withdrawn"
  | "not_delivered"
  | "paid_too_late"
  | "amount_differs"
  | "paid_twice";

/** `lines`: what is refunded, each with the amount that comes back for it. */
export type RefundProps = { orderId: string; cause: RefundCause; lines: PassLine[]; amountCents: number };

export const refundMail: MailTemplate<RefundProps> = {
  subject: ({ amountCents }, { t, locale }) =>
    t("refund.subject", { amount: formatPrice(amountCents, locale) }),
  preview: ({ cause }, { t }) => t(`refund.lead.${cause}`),
  body({ orderId, cause, lines, amountCents }, context) {
    const { t, locale, link } = context;
    return (
      <>
        <Title>{t("refund.title", { amount: formatPrice(amountCents, locale) })}</Title>
        <Paragraph>{t(`refund.lead.${cause}`)}</Paragraph>
        <Paragraph>{t("refund.when")}</Paragraph>
        <Receipt lines={lines} sums={[[t("order.total"), amountCents]]} context={context} />
        <Action href={link(orderPath(orderId))}>{t("order.open")}</Action>
        <OrderNumber orderId={orderId} context={context} />
      </>
    );
  },
};
