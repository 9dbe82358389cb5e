import { formatMoment } from "@/lib/platform/format";
import { formatPrice } from "@/lib/platform/money";
import { Action, Paragraph, Title } from "./parts";
import { OrderNumber, orderPath, Receipt, type RequestedRefund, summarizeLines } from "./pass";
import type { MailTemplate } from "./template";

export type RefundRequestedProps = RequestedRefund & {
  /** When the request is approved without an answer. */
  answerBy: Date;
};

export const refundRequestedMail: MailTemplate<RefundRequestedProps> = {
  subject: ({ lines }, context) =>
    context.t("refund_requested.subject", { summary: summarizeLines(lines, context) }),
  preview: ({ answerBy }, { t, locale, timeZone }) =>
    t("refund_requested.lead", { moment: formatMoment(answerBy, locale, timeZone) }),
  body({ orderId, lines, amountCents, answerBy }, context) {
    const { t, locale, timeZone, link } = context;
    return (
      <>
        <Title>{t("refund_requested.title", { amount: formatPrice(amountCents, locale) })}</Title>
        <Paragraph>
          {t("refund_requested.lead", { moment: formatMoment(answerBy, locale, timeZone) })}
        </Paragraph>
        <Paragraph>{t("refund_requested.locked")}</Paragraph>
        <Receipt lines={lines} sums={[[t("refund_requested.amount"), amountCents]]} context={context} />
        <Action href={link(orderPath(orderId))}>{t("order.open")}</Action>
        <OrderNumber orderId={orderId} context={context} />
      </>
    );
  },
};
