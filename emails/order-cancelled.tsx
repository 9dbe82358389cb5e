import { Action, Paragraph, TextLink, Title } from "./parts";
import { OrderNumber, orderPath, type PassLine, summarizeLines } from "./pass";
import type { MailContext, MailTemplate } from "./template";

export type OrderCancelledProps = {
  orderId: string;
  lines: PassLine[];
  /** A payment is still being decided: it fails, or it is refunded in full. */
  paymentOpen: boolean;
  support: string;
};

const leadText = ({ paymentOpen }: OrderCancelledProps, { t }: MailContext) =>
  t(paymentOpen ? "order_cancelled.lead_open" : "order_cancelled.lead");

/** Sent when support cancels an unpaid order at its buyer's wish. */
export const orderCancelledMail: MailTemplate<OrderCancelledProps> = {
  subject: ({ lines }, context) =>
    context.t("order_cancelled.subject", { summary: summarizeLines(lines, context) }),
  preview: leadText,
  body(props, context) {
    const { t, link, gap } = context;
    const { orderId, paymentOpen, support } = props;
    return (
      <>
        <Title>{t(paymentOpen ? "order_cancelled.title_open" : "order_cancelled.title")}</Title>
        <Paragraph>{leadText(props, context)}</Paragraph>
        <Action href={link(orderPath(orderId))}>{t("order.open")}</Action>
        <Paragraph>
          {t("order_cancelled.not_asked")}
          {gap}
          <TextLink href={`mailto:${support}`}>{support}</TextLink>
        </Paragraph>
        <OrderNumber orderId={orderId} context={context} />
      </>
    );
  },
};
