import { Paragraph, Quiet, Title } from "./parts";
import type { MailTemplate } from "./template";

export const applicationReceivedMail: MailTemplate<{ productUrl: string }> = {
  subject: (_, { t, brand }) => t("application_received.subject", { brand }),
  preview: (_, { t }) => t("application_received.lead"),
  body: ({ productUrl }, { t }) => (
    <>
      <Title>{t("application_received.title")}</Title>
      <Paragraph>{t("application_received.lead")}</Paragraph>
      <Paragraph>{t("application_received.product", { url: productUrl })}</Paragraph>
      <Paragraph>{t("application_received.next")}</Paragraph>
      <Quiet>{t("application_received.not_you")}</Quiet>
    </>
  ),
};
