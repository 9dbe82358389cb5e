import type { PassType } from "@/lib/catalog/rules";
import type { Locale } from "@/lib/platform/i18n/locales";
import { Action, Paragraph, Quiet, Title } from "./parts";
import { formatAmount, PassHead, passHoles } from "./pass";
import type { MailTemplate } from "./template";
import { Ticket } from "./ticket";

/** A pass of the catalogue, as bulk emails show it; `priceCents` is the current price. */
export type OfferedPass = {
  slug: string;
  vipId: number;
  productName: string;
  /** Language of the product's name. */
  language: Locale;
  vendor: string;
  vipType: PassType;
  durationDays: number | null;
  priceCents: number;
};
export type WaitListProps = OfferedPass;

export const toPassLine = (pass: OfferedPass) => ({
  ...pass,
  lineId: String(pass.vipId),
  quantity: 1,
  totalCents: pass.priceCents,
});

export const passPath = ({ slug, vipId }: OfferedPass) => `/product/${slug}?plan=${vipId}`;

export const waitListMail: MailTemplate<WaitListProps> = {
  subject: ({ productName }, { t }) => t("wait_list.subject", { product: productName }),
  preview: (_, { t }) => t("wait_list.lead"),
  body: (pass, context) => (
    <>
      <Title>{context.t("wait_list.title", { product: pass.productName })}</Title>
      <Paragraph>{context.t("wait_list.lead")}</Paragraph>
      <Ticket
        holes={passHoles(toPassLine(pass), context)}
        stub={<Paragraph>{formatAmount(pass.priceCents, context)}</Paragraph>}
      >
        <PassHead line={toPassLine(pass)} context={context} />
      </Ticket>
      <Action href={context.link(passPath(pass))}>{context.t("wait_list.action")}</Action>
      <Quiet>{context.t("wait_list.once")}</Quiet>
    </>
  ),
};
