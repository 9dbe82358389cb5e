import { formatDate } from "@/lib/platform/format";
import { formatPrice } from "@/lib/platform/money";
import { Action, Paragraph, Quiet, Title } from "./parts";
import { PassHead, type PassLine, passHoles } from "./pass";
import type { MailTemplate } from "./template";
import { Ticket } from "./ticket";

export type FirstSaleProps = {
  pass: PassLine;
  /** the merchant's place in addresses */
  handle: string;
  /** the merchant's share */
  netCents: number;
  payableAt: Date;
};

/** Tells a merchant that its first pass was sold. It names neither the buyer nor the code. */
export const firstSaleMail: MailTemplate<FirstSaleProps> = {
  subject: ({ pass }, { t }) => t("first_sale.subject", { product: pass.productName }),
  preview: ({ netCents }, { t, locale }) => t("first_sale.lead", { amount: formatPrice(netCents, locale) }),
  why: ({ t, brand }) => t("merchant_notice.why", { brand }),
  body({ pass, handle, netCents, payableAt }, context) {
    const { t, locale, timeZone, link } = context;
    return (
      <>
        <Title>{t("first_sale.title")}</Title>
        <Paragraph>{t("first_sale.lead", { amount: formatPrice(netCents, locale) })}</Paragraph>
        <Ticket
          holes={passHoles(pass, context)}
          stub={<Quiet>{t("first_sale.payable", { date: formatDate(payableAt, locale, timeZone) })}</Quiet>}
        >
          <PassHead line={pass} context={context} />
        </Ticket>
        <Action href={link(`/merchant/${handle}/money`)}>{t("first_sale.action")}</Action>
      </>
    );
  },
};
