import { Paragraph, Quiet, TextLink, Title } from "./parts";
import type { MailTemplate } from "./template";

type DecisionProps = {
  /** Written by staff: the reason of a refusal, or a remark; an empty one is left out. */
  note: string;
  support: string;
};

/**
 * The email about the decision on a merchant's application. It holds nothing that the applicant has typed, because no
 * one has verified the address.
 */
export const decisionMail = (decision: "approved" | "refused"): MailTemplate<DecisionProps> => ({
  subject: (_, { t, brand }) => t(`application_${decision}.subject`, { brand }),
  preview: (_, { t }) => t(`application_${decision}.lead`),
  body: ({ note, support }, { t }) => (
    <>
      <Title>{t(`application_${decision}.title`)}</Title>
      <Paragraph>{t(`application_${decision}.lead`)}</Paragraph>
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
