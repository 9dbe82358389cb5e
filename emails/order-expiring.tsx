import { formatMoment } from "@/lib/platform/format";
import { formatPrice } from "@/lib/platform/money";
import { Action, Paragraph, Quiet, Title } from "./parts";
import { OrderNumber, type OrderSums, orderSums, type PassLine, Receipt, summary } from "./pass";
import type { MailTemplate } from "./template";

export type OrderExpiringProps = OrderSums & {
  orderId: string;
  lines: PassLine[];
  /** When what the order holds goes back on sale. */
  holdEndsAt: Date;
};

export const orderExpiringMail: MailTemplate<OrderExpiringProps> = {
  subject: ({ lines }, context) => context.t("order_expiring.subject", { summary: summary(lines, context) }),
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
