import { Action, Paragraph, Quiet, Title } from "./parts";
import type { MailTemplate } from "./template";

export const unsubscribeLinkMail: MailTemplate<{ token: string }> = {
  subject: (_, { t, brand }) => t("unsubscribe_link.subject", { brand }),
  preview: (_, { t }) => t("unsubscribe_link.lead"),
  body: ({ token }, { t, link }) => (
    <>
      <Title>{t("unsubscribe_link.title")}</Title>
      <Paragraph>{t("unsubscribe_link.lead")}</Paragraph>
      <Action href={link(`/unsubscribe?token=${encodeURIComponent(token)}`)}>
        {t("unsubscribe_link.action")}
      </Action>
      <Quiet>{t("unsubscribe_link.not_you")}</Quiet>
    </>
  ),
};
