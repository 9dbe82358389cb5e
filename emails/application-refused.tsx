import { Paragraph, Quiet, TextLink, Title } from "./parts";
import type { MailTemplate } from "./template";

export type ApplicationRefusedProps = {
  productUrl: string;
  /** The reason, written by staff. */
  note: string;
  support: string;
};

export const applicationRefusedMail: MailTemplate<ApplicationRefusedProps> = {
  subject: (_, { t, brand }) => t("application_refused.subject", { brand }),
  preview: (_, { t }) => t("application_refused.lead"),
  body: ({ productUrl, note, support }, { t }) => (
    <>
      <Title>{t("application_refused.title")}</Title>
      <Paragraph>{t("application_refused.lead")}</Paragraph>
      <Paragraph>{t("application_received.product", { url: productUrl })}</Paragraph>
      <Paragraph>{t("application_refused.note", { note })}</Paragraph>
      <Paragraph>{t("application_refused.again")}</Paragraph>
      <Quiet>
        <TextLink href={`mailto:${support}`}>{support}</TextLink>
      </Quiet>
    </>
  ),
};
