import { Action, Paragraph, SideLink, Title } from "./parts";
import { OrderNumber, orderPath, Receipt, type RequestedRefund, summarizeLines } from "./pass";
import type { MailTemplate } from "./template";

export type RefundRefusedProps = RequestedRefund & {
  /** The vendor says that the code was used; staff have a reason of their own. */
  refusedBy: "vendor" | "shop";
  /** The reason of staff; may be empty. */
  note: string;
  support: string;
};

export const refundRefusedMail: MailTemplate<RefundRefusedProps> = {
  subject: ({ lines }, context) =>
    context.t("refund_refused.subject", { summary: summarizeLines(lines, context) }),
  preview: ({ refusedBy }, { t }) => t(`refund_refused.${refusedBy}.lead`),
  body({ orderId, lines, amountCents, refusedBy, note, support }, context) {
    const { t, link } = context;
    return (
      <>
        <Title>{t(`refund_refused.${refusedBy}.title`)}</Title>
        <Paragraph>{t(`refund_refused.${refusedBy}.lead`)}</Paragraph>
        {note && <Paragraph>{t("refund_refused.note", { note })}</Paragraph>}
        <Receipt lines={lines} sums={[[t("refund_refused.amount"), amountCents]]} context={context} />
        <Paragraph>{t(`refund_refused.${refusedBy}.wrong`)}</Paragraph>
        <SideLink href={`mailto:${support}`}>{support}</SideLink>
        <Action href={link(orderPath(orderId))}>{t("order.open")}</Action>
        <OrderNumber orderId={orderId} context={context} />
      </>
    );
  },
};
