import { Action, Paragraph, Title } from "./parts";
import type { MailTemplate } from "./template";

/** To a staff member whom a colleague names in a note. */
export type StaffMentionProps = {
  /** the colleague's address */
  by: string;
  /** an order's number, or a customer's address */
  about: string;
  text: string;
  /** the console page of the order or customer */
  path: string;
};

export const staffMentionMail: MailTemplate<StaffMentionProps> = {
  subject: ({ by, about }, { t }) => t("staff_mention.subject", { by, about }),
  preview: ({ text }) => text.slice(0, 120),
  why: ({ t, brand }) => t("staff_mention.why", { brand }),
  body: ({ by, about, text, path }, { t, link }) => (
    <>
      <Title>{t("staff_mention.title", { by, about })}</Title>
      <Paragraph>{text}</Paragraph>
      <Action href={link(path)}>{t("staff_mention.action")}</Action>
    </>
  ),
};
