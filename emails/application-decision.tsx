import { Paragraph, Quiet, TextLink, Title } from "./parts";
import type { MailTemplate } from "./template";

export type ApplicationDecisionProps = {
  productUrl: string;
  /** Written by staff: the reason of a refusal, or a remark; an empty one is left out. */
  note: string;
  support: string;
};

const decisionMail = (decision: "approved" | "refused"): MailTemplate<ApplicationDecisionProps> => ({
  subject: (_, { t, brand }) => t(`application_${decision}.subject`, { brand }),
  preview: (_, { t }) => t(`application_${decision}.lead`),
  body: ({ productUrl, note, support }, { t }) => (
    <>
      <Title>{t(`application_${decision}.title`)}</Title>
      <Paragraph>{t(`application_${decision}.lead`)}</Paragraph>
      <Paragraph>{t("application_received.product", { url: productUrl })}</Paragraph>
      {note && <Paragraph>{t(`application_${decision}.note`, { note })}</Paragraph>}
      <Paragraph>
        {t(decision === "approved" ? "application_approved.next" : "application_refused.again")}
      </Paragraph>
      <Quiet>
        <TextLink href={`mailto:${support}`}>{support}</TextLink>
      </Quiet>
    </>
  ),
});

export const applicationApprovedMail = decisionMail("approved");
export const applicationRefusedMail = decisionMail("refused");
