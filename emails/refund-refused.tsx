import { Action, Paragraph, SideLink, Title } from "./parts";
import { OrderNumber, orderPath, Receipt, type RequestedRefund, summarizeLines } from "./pass";
import type { MailTemplate } from "./template";

export type RefundRefusedProps = RequestedRefund & {
  /** An additional note of staff; may be empty. */
  note: string;
  support: string;
};

export const refundRefusedMail: MailTemplate<RefundRefusedProps> = {
  subject: ({ lines }, context) =>
    context.t("refund_refused.subject", { summary: summarizeLines(lines, context) }),
  preview: (_, { t }) => t("refund_refused.lead"),
  body({ orderId, lines, amountCents, note, support }, context) {
    const { t, link } = context;
    return (
      <>
        <Title>{t("refund_refused.title")}</Title>
        <Paragraph>{t("refund_refused.lead")}</Paragraph>
        {note && <Paragraph>{t("refund_refused.note", { note })}</Paragraph>}
        <Receipt lines={lines} sums={[[t("refund_refused.amount"), amountCents]]} context={context} />
        <Paragraph>{t("refund_refused.wrong")}</Paragraph>
        <SideLink href={`mailto:${support}`}>{support}</SideLink>
        <Action href={link(orderPath(orderId))}>{t("order.open")}</Action>
        <OrderNumber orderId={orderId} context={context} />
      </>
    );
  },
};
