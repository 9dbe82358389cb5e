import { Action, Paragraph, Title } from "./parts";
import type { MailTemplate } from "./template";

/** `username`: null for an unverified address, whose owner may not have chosen the name. */
export const welcomeMail: MailTemplate<{ username: string | null }> = {
  subject: (_, { t, brand }) => t("welcome.subject", { brand }),
  preview: (_, { t }) => t("welcome.lead"),
  body: ({ username }, { t, link }) => (
    <>
      <Title>{username === null ? t("welcome.title_unnamed") : t("welcome.title", { username })}</Title>
      <Paragraph>{t("welcome.lead")}</Paragraph>
      <Paragraph>{t("welcome.delivered")}</Paragraph>
      <Paragraph>{t("welcome.plain")}</Paragraph>
      <Paragraph>{t("welcome.kept")}</Paragraph>
      <Action href={link("/")}>{t("welcome.action")}</Action>
    </>
  ),
};
