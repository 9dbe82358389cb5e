import { formatMoment } from "@/lib/platform/format";
import { formatPrice } from "@/lib/platform/money";
import { Action, Paragraph, Quiet, Title } from "./parts";
import { OrderNumber, OrderReceipt, type OrderSummary, paymentPath, summarizeLines } from "./pass";
import type { MailTemplate } from "./template";

export type OrderExpiringProps = OrderSummary & {
  /** When the hold ends and the reserved stock is released. */
  holdEndsAt: Date;
};

export const orderExpiringMail: MailTemplate<OrderExpiringProps> = {
  subject: ({ lines }, context) =>
    context.t("order_expiring.subject", { summary: summarizeLines(lines, context) }),
  preview: ({ holdEndsAt }, { t, locale, timeZone }) =>
    t("order_expiring.lead", { moment: formatMoment(holdEndsAt, locale, timeZone) }),
  body(props, context) {
    const { t, locale, timeZone, link } = context;
    const { orderId, totalCents, holdEndsAt } = props;
    return (
      <>
        <Title>{t("order_expiring.title")}</Title>
        <Paragraph>
          {t("order_expiring.lead", { moment: formatMoment(holdEndsAt, locale, timeZone) })}
        </Paragraph>
        <OrderReceipt order={props} context={context} />
        <Action href={link(paymentPath(orderId))}>
          {t("order_placed.pay", { amount: formatPrice(totalCents, locale) })}
        </Action>
        <Quiet>{t("order_expiring.after")}</Quiet>
        <OrderNumber orderId={orderId} context={context} />
      </>
    );
  },
};
