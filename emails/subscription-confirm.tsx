import { Action, Paragraph, Quiet, Title } from "./parts";
import type { MailTemplate } from "./template";

/** `token`: the signed token of the link, valid for `days` days. */
export type SubscriptionConfirmProps = { token: string; days: number };

export const subscriptionConfirmMail: MailTemplate<SubscriptionConfirmProps> = {
  subject: (_, { t, brand }) => t("subscription_confirm.subject", { brand }),
  preview: (_, { t }) => t("subscription_confirm.lead"),
  body: ({ token, days }, { t, link }) => (
    <>
      <Title>{t("subscription_confirm.title")}</Title>
      <Paragraph>{t("subscription_confirm.lead")}</Paragraph>
      <Action href={link(`/subscription/confirm?token=${encodeURIComponent(token)}`)}>
        {t("subscription_confirm.action")}
      </Action>
      <Quiet>{t("subscription_confirm.not_you", { days })}</Quiet>
    </>
  ),
};
