import { beginning } from "@/lib/platform/beginning";
import { TypedLines } from "./contact";
import { Action, Quiet, Title } from "./parts";
import type { MailTemplate } from "./template";

export type ContactAnswerProps = {
  message: string;
  /** of the conversation's first message, as its confirmation named it */
  reference: string;
  /** leads to the account; null: a guest */
  conversationId: string | null;
};

/** The answer of the shop's support. Nothing of what the sender typed, because a guest's address may be another's. */
export const contactAnswerMail: MailTemplate<ContactAnswerProps> = {
  subject: (_, { t, brand }) => t("contact_answer.subject", { brand }),
  preview: ({ message }) => beginning(message, 120),
  body: ({ message, reference, conversationId }, { t, link }) => (
    <>
      <Title>{t("contact_answer.title")}</Title>
      <TypedLines>{message}</TypedLines>
      {conversationId && (
        <Action href={link(`/messages?id=${conversationId}`)}>{t("contact_answer.action")}</Action>
      )}
      <Quiet>{t("contact_received.reference", { reference })}</Quiet>
    </>
  ),
};
