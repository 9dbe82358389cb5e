import { Action, Paragraph, Title } from "./parts";
import type { MailTemplate } from "./template";

export type MerchantNameProps = {
  /** The merchant's approved name. */
  merchant: string;
  handle: string;
  decision: "approved" | "refused";
  /** The refused name. Only in the body: the merchant wrote it, and it must not stand in an inbox as if the shop had. */
  refused: string | null;
  /** Written by staff; an empty one is left out. */
  note: string;
};

/** Tells the owners what staff decided about the name that they requested. */
export const merchantNameMail: MailTemplate<MerchantNameProps> = {
  subject: ({ merchant, decision }, { t }) => t(`merchant_name.subject_${decision}`, { merchant }),
  preview: ({ merchant, decision }, { t }) => t(`merchant_name.lead_${decision}`, { merchant }),
  why: ({ t, brand }) => t("merchant_name.why", { brand }),
  body: ({ merchant, handle, decision, refused, note }, { t, link }) => (
    <>
      <Title>{t(`merchant_name.subject_${decision}`, { merchant })}</Title>
      {refused && <Paragraph>{t("merchant_name.asked", { name: refused })}</Paragraph>}
      <Paragraph>{t(`merchant_name.lead_${decision}`, { merchant })}</Paragraph>
      {note && <Paragraph>{t("merchant_name.note", { note })}</Paragraph>}
      <Action href={link(`/merchant/${handle}/profile`)}>{t("merchant_name.action")}</Action>
    </>
  ),
};
