import { Action, Paragraph, Title } from "./parts";
import type { MailTemplate } from "./template";

type ChangeProps = {
  product: string;
  /** of the change in the merchant's console */
  path: string;
  /** Written by staff: what to correct, or the reason; an empty one is left out. */
  note: string;
};

/** The email to a merchant's owners about the decision on a change of a product. */
export const changeMail = (decision: "approved" | "returned" | "refused"): MailTemplate<ChangeProps> => ({
  subject: ({ product }, { t }) => t(`change_${decision}.subject`, { product }),
  preview: (_, { t }) => t(`change_${decision}.lead`),
  body: ({ product, path, note }, { t, link }) => (
    <>
      <Title>{t(`change_${decision}.title`, { product })}</Title>
      <Paragraph>{t(`change_${decision}.lead`)}</Paragraph>
      {note && <Paragraph>{t(`change_${decision}.note`, { note })}</Paragraph>}
      <Action href={link(path)}>{t(`change_${decision}.open`)}</Action>
    </>
  ),
});
