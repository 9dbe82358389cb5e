import { formatMoment } from "@/lib/platform/format";
import { Paragraph, Quiet, SideLink, Title } from "./parts";
import type { MailTemplate } from "./template";

export type WithdrawalDeclaredProps = {
  /** null: what was typed is not an order number, and stands in no email */
  order: string | null;
  isWhole: boolean;
  at: Date;
};

/** The receipt of a declaration of withdrawal. The address may be another's: it holds no name and nothing that was typed. */
export const withdrawalDeclaredMail: MailTemplate<WithdrawalDeclaredProps> = {
  subject: (_, { t }) => t("withdrawal_declared.subject"),
  preview: ({ at }, { t, locale, timeZone }) =>
    t("withdrawal_declared.lead", { moment: formatMoment(at, locale, timeZone) }),
  body: ({ order, isWhole, at }, { t, locale, timeZone, link }) => (
    <>
      <Title>{t("withdrawal_declared.title")}</Title>
      <Paragraph>{t("withdrawal_declared.lead", { moment: formatMoment(at, locale, timeZone) })}</Paragraph>
      {order && <Paragraph>{t("withdrawal_declared.order", { order })}</Paragraph>}
      <Paragraph>
        {t(isWhole ? "withdrawal_declared.passes_all" : "withdrawal_declared.passes_named")}
      </Paragraph>
      <Paragraph>{t("withdrawal_declared.next")}</Paragraph>
      <SideLink href={link("/withdraw")}>{t("withdrawal_declared.open")}</SideLink>
      <Quiet>{t("withdrawal_declared.not_you")}</Quiet>
    </>
  ),
};
