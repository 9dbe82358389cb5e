import { beginning } from "@/lib/platform/beginning";
import { Action, Paragraph, Quiet, Title } from "./parts";
import type { MailTemplate } from "./template";

export type ContactProps = {
  reference: string;
  email: string;
  message: string;
  orderNumber: string | null;
  conversationId: string;
  /** the account that was signed in, if any */
  userId: string | null;
  /** the language of the page */
  language: string;
};

/** To the shop's support; a reply goes to the sender. */
export const contactMail: MailTemplate<ContactProps> = {
  subject: ({ email, reference }, { t }) => t("contact.subject", { email, reference }),
  preview: ({ message }) => beginning(message, 120),
  body: ({ email, message, orderNumber, userId, language, reference, conversationId }, { t, link }) => (
    <>
      <Title>{t("contact.title")}</Title>
      <TypedLines>{message}</TypedLines>
      <Action href={link(`/console/messages/${conversationId}`)}>{t("contact.answer")}</Action>
      <Quiet>{t("contact.from", { email })}</Quiet>
      {orderNumber && <Quiet>{t("contact.order", { order: orderNumber })}</Quiet>}
      <Quiet>{t("contact.account", { account: userId ?? "–", language, reference })}</Quiet>
    </>
  ),
};

/** A text as it was typed, a paragraph a line. */
export const TypedLines = ({ children }: { children: string }) =>
  children.split(/\r\n|\r|\n/).map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one text never move
    <Paragraph key={index}>{line || "\u00a0"}</Paragraph>
  ));
