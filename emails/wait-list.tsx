import type { PassType } from "@/lib/catalog/rules";
import type { Locale } from "@/lib/platform/i18n/locales";
import { Action, Paragraph, Quiet, Title } from "./parts";
import { amount, PassHead } from "./pass";
import type { MailTemplate } from "./template";
import { Ticket } from "./ticket";

/** A pass of the catalogue as bulk mails show it; `priceCents` is what it costs now. */
export type OfferedPass = {
  slug: string;
  vipId: number;
  productName: string;
  /** language that the product's name is in */
  language: Locale;
  vendor: string;
  vipType: PassType;
  durationDays: number | null;
  priceCents: number;
};
export type WaitListProps = OfferedPass;

/** The line that a ticket's head is drawn from. */
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
      <Ticket stub={<Paragraph>{amount(pass.priceCents, context)}</Paragraph>}>
        <PassHead line={toPassLine(pass)} context={context} />
      </Ticket>
      <Action href={context.link(passPath(pass))}>{context.t("wait_list.action")}</Action>
      <Quiet>{context.t("wait_list.once")}</Quiet>
    </>
  ),
};
