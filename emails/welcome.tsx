import { Action, Paragraph, Title } from "./parts";
import type { MailTemplate } from "./template";

export const welcomeMail: MailTemplate<{ username: string }> = {
  subject: (_, { t, brand }) => t("welcome.subject", { brand }),
  preview: (_, { t }) => t("welcome.lead"),
  body: ({ username }, { t, link }) => (
    <>
      <Title>{t("welcome.title", { username })}</Title>
      <Paragraph>{t("welcome.lead")}</Paragraph>
      <Paragraph>{t("welcome.delivered")}</Paragraph>
      <Paragraph>{t("welcome.plain")}</Paragraph>
      <Paragraph>{t("welcome.kept")}</Paragraph>
      <Action href={link("/")}>{t("welcome.action")}</Action>
    </>
  ),
};
