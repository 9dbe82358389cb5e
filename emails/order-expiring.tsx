import { formatMoment } from "@/lib/platform/format";
import { formatPrice } from "@/lib/platform/money";
import { Action, Paragraph, Quiet, Title } from "./parts";
import { OrderNumber, type OrderSums, orderSums, type PassLine, Receipt, summarizeLines } from "./pass";
import type { MailTemplate } from "./template";

export type OrderExpiringProps = OrderSums & {
  orderId: string;
  lines: PassLine[];
  /** When the hold ends and the reserved stock is released. */
  holdEndsAt: Date;
};

export const orderExpiringMail: MailTemplate<OrderExpiringProps> = {
  subject: ({ lines }, context) =>
    context.t("order_expiring.subject", { summary: summarizeLines(lines, context) }),
  preview: ({ holdEndsAt }, { t, locale }) =>
    t("order_expiring.lead", { moment: formatMoment(holdEndsAt, locale) }),
  body(props, context) {
    const { t, locale, link } = context;
    const { orderId, lines, totalCents, holdEndsAt } = props;
    return (
      <>
        <Title>{t("order_expiring.title")}</Title>
        <Paragraph>{t("order_expiring.lead", { moment: formatMoment(holdEndsAt, locale) })}</Paragraph>
        <Receipt lines={lines} sums={orderSums(props, context)} context={context} />
        <Action href={link(`/checkout?order_id=${encodeURIComponent(orderId)}`)}>
          {t("order_placed.pay", { amount: formatPrice(totalCents, locale) })}
        </Action>
        <Quiet>{t("order_expiring.after")}</Quiet>
        <OrderNumber orderId={orderId} context={context} />
      </>
    );
  },
};
