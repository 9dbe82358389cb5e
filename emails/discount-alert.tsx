import { formatMoment } from "@/lib/platform/format";
import { formatPrice } from "@/lib/platform/money";
import { Action, Paragraph, Quiet, TextLink, Title } from "./parts";
import { formatAmount, PassHead, passHoles } from "./pass";
import type { MailTemplate } from "./template";
import { Ticket } from "./ticket";
import { type OfferedPass, passPath, toPassLine } from "./wait-list";

/**
 * A running deal at `priceCents`. `reduction` holds the price without the deal and the lowest one of the 30 days before
 * it; null where the deal is not below that (docs/product.md#818-prices-and-their-history).
 */
export type DealLine = OfferedPass & {
  reduction: { usualCents: number; lowestCents: number } | null;
  endsAt: Date;
};

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
            holes={passHoles(toPassLine(deal), context)}
            key={deal.vipId}
            stub={
              <>
                <Paragraph>
                  <TextLink href={link(passPath(deal))}>
                    {deal.reduction
                      ? t("discount_alert.price", {
                          price: formatAmount(deal.priceCents, context),
                          usual: formatPrice(deal.reduction.usualCents, locale),
                          lowest: formatPrice(deal.reduction.lowestCents, locale),
                        })
                      : formatAmount(deal.priceCents, context)}
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
