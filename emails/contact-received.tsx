import { Paragraph, Quiet, Title } from "./parts";
import type { MailTemplate } from "./template";

/** To the sender of a message to support. It holds nothing that was typed, because the address may be another's. */
export const contactReceivedMail: MailTemplate<{ reference: string }> = {
  subject: (_, { t, brand }) => t("contact_received.subject", { brand }),
  preview: (_, { t }) => t("contact_received.lead"),
  body: ({ reference }, { t }) => (
    <>
      <Title>{t("contact_received.title")}</Title>
      <Paragraph>{t("contact_received.lead")}</Paragraph>
      <Paragraph>{t("contact_received.reference", { reference })}</Paragraph>
      <Quiet>{t("contact_received.not_you")}</Quiet>
    </>
  ),
};
