import type { MerchantRole } from "@/lib/merchants/rules";
import { formatMoment } from "@/lib/platform/format";
import { Action, Paragraph, Quiet, Title } from "./parts";
import type { MailTemplate } from "./template";

export type MerchantInviteProps = {
  /** The secret of the link. */
  token: string;
  /** The merchant's name. */
  merchant: string;
  role: MerchantRole;
  expiresAt: Date;
};

export const merchantInviteMail: MailTemplate<MerchantInviteProps> = {
  subject: (_, { t, brand }) => t("merchant_invite.subject", { brand }),
  preview: ({ role }, { t }) => t(`merchant_invite.lead_${role}`),
  why: ({ t, brand }) => t("merchant_invite.why", { brand }),
  body: ({ token, merchant, role, expiresAt }, { t, link, locale, timeZone, brand }) => (
    <>
      <Title>{t("merchant_invite.title", { merchant })}</Title>
      <Paragraph>{t(`merchant_invite.lead_${role}`)}</Paragraph>
      <Paragraph>{t("merchant_invite.account", { brand })}</Paragraph>
      <Action href={link(`/business/invite/${token}`)}>{t("merchant_invite.action")}</Action>
      <Quiet>{t("merchant_invite.until", { moment: formatMoment(expiresAt, locale, timeZone) })}</Quiet>
    </>
  ),
};
