import { formatPrice } from "@/lib/platform/money";
import { Action, Paragraph, Title } from "./parts";
import { OrderNumber, orderPath, type PassLine, Receipt } from "./pass";
import type { MailTemplate } from "./template";

/**
 * Why a payment is refunded: the buyer requested it or withdrew, the delivery deadline passed, the payment arrived after
 * the buyer cancelled or after the stock was sold, its amount differs from the order's, the order was paid already or has another open payment, more
 * was received than booked, staff return a part of it as a gesture, or the provider refunded it on its own.
 */
export type RefundCause =
  | "requested"
  | "withdrawn"
  | "not_delivered"
  | "cancelled"
  | "paid_too_late"
  | "amount_differs"
  | "paid_twice"
  | "second_payment"
  | "overpaid"
  | "goodwill"
  | "made_at_provider";

/** `lines`: the refunded lines, each with its refunded amount. `codesLocked`: codes that were delivered are refunded. */
export type RefundProps = {
  orderId: string;
  cause: RefundCause;
  lines: PassLine[];
  amountCents: number;
  codesLocked: boolean;
};

export const refundMail: MailTemplate<RefundProps> = {
  subject: ({ amountCents }, { t, locale }) =>
    t("refund.subject", { amount: formatPrice(amountCents, locale) }),
  preview: ({ cause }, { t }) => t(`refund.lead.${cause}`),
  body({ orderId, cause, lines, amountCents, codesLocked }, context) {
    const { t, locale, link } = context;
    return (
      <>
        <Title>{t("refund.title", { amount: formatPrice(amountCents, locale) })}</Title>
        <Paragraph>{t(`refund.lead.${cause}`)}</Paragraph>
        {codesLocked && <Paragraph>{t("refund.codes")}</Paragraph>}
        <Paragraph>{t("refund.when")}</Paragraph>
        <Receipt lines={lines} sums={[[t("order.total"), amountCents]]} context={context} />
        <Action href={link(orderPath(orderId))}>{t("order.open")}</Action>
        <OrderNumber orderId={orderId} context={context} />
      </>
    );
  },
};
