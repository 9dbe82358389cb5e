import { Paragraph, Quiet, TextLink, Title } from "./parts";
import type { MailTemplate } from "./template";

export type ApplicationApprovedProps = {
  productUrl: string;
  /** A note of staff; may be empty. */
  note: string;
  support: string;
};

export const applicationApprovedMail: MailTemplate<ApplicationApprovedProps> = {
  subject: (_, { t, brand }) => t("application_approved.subject", { brand }),
  preview: (_, { t }) => t("application_approved.lead"),
  body: ({ productUrl, note, support }, { t }) => (
    <>
      <Title>{t("application_approved.title")}</Title>
      <Paragraph>{t("application_approved.lead")}</Paragraph>
      <Paragraph>{t("application_received.product", { url: productUrl })}</Paragraph>
      {note && <Paragraph>{t("application_approved.note", { note })}</Paragraph>}
      <Paragraph>{t("application_approved.next")}</Paragraph>
      <Quiet>
        <TextLink href={`mailto:${support}`}>{support}</TextLink>
      </Quiet>
    </>
  ),
};
