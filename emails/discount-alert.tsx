import { formatMoment } from "@/lib/platform/format";
import { formatPrice } from "@/lib/platform/money";
import { Action, Paragraph, Quiet, TextLink, Title } from "./parts";
import { formatAmount, PassHead } from "./pass";
import type { MailTemplate } from "./template";
import { Ticket } from "./ticket";
import { type OfferedPass, passPath, toPassLine } from "./wait-list";

/** A running deal: `priceCents` is the deal's price, `usualCents` the price without it. */
export type DealLine = OfferedPass & { usualCents: number; endsAt: Date };

export const discountAlertMail: MailTemplate<{ deals: DealLine[] }> = {
  subject: ({ deals }, { t }) =>
    t("discount_alert.subject", { product: deals[0]?.productName ?? "", more: deals.length - 1 }),
  preview: (_, { t }) => t("discount_alert.lead"),
  body({ deals }, context) {
    const { t, locale, timeZone, link } = context;
    return (
      <>
        <Title>{t("discount_alert.title")}</Title>
        <Paragraph>{t("discount_alert.lead")}</Paragraph>
        {deals.map((deal) => (
          <Ticket
            key={deal.vipId}
            stub={
              <>
                <Paragraph>
                  <TextLink href={link(passPath(deal))}>
                    {t("discount_alert.price", {
                      price: formatAmount(deal.priceCents, context),
                      usual: formatPrice(deal.usualCents, locale),
                    })}
                  </TextLink>
                </Paragraph>
                <Quiet>
                  {t("discount_alert.until", { moment: formatMoment(deal.endsAt, locale, timeZone) })}
                </Quiet>
              </>
            }
          >
            <PassHead line={toPassLine(deal)} context={context} />
          </Ticket>
        ))}
        <Action href={link("/limited-offer")}>{t("discount_alert.action")}</Action>
      </>
    );
  },
};
