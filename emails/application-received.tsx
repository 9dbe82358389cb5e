import { Paragraph, Quiet, Title } from "./parts";
import type { MailTemplate } from "./template";

export const applicationReceivedMail: MailTemplate<Record<string, never>> = {
  subject: (_, { t, brand }) => t("application_received.subject", { brand }),
  preview: (_, { t }) => t("application_received.lead"),
  body: (_, { t }) => (
    <>
      <Title>{t("application_received.title")}</Title>
      <Paragraph>{t("application_received.lead")}</Paragraph>
      <Paragraph>{t("application_received.next")}</Paragraph>
      <Quiet>{t("application_received.not_you")}</Quiet>
    </>
  ),
};
