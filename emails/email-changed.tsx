import { Paragraph, Title } from "./parts";
import { OrderNumber } from "./pass";
import type { MailContext, MailTemplate } from "./template";

/** Goes to the old address, and names the new one only masked: whoever reads the old mailbox need not learn it. */
export type EmailChangedProps = {
  address: string;
  /** The order whose delivery e-mail changed; null when it is the account's own. */
  orderId: string | null;
};

/** "mara@example.com" → "m•••@example.com" */
const masked = (address: string) => address.replace(/^(.)[^@]*/u, "$1•••");

const lead = ({ address, orderId }: EmailChangedProps, { t }: MailContext) =>
  t(orderId ? "email_changed.lead_delivery" : "email_changed.lead_account", { address: masked(address) });

export const emailChangedMail: MailTemplate<EmailChangedProps> = {
  subject: ({ orderId }, { t, brand }) =>
    orderId ? t("email_changed.subject_delivery") : t("email_changed.subject_account", { brand }),
  preview: lead,
  body(props, context) {
    const { t } = context;
    const { orderId } = props;
    return (
      <>
        <Title>{t(orderId ? "email_changed.title_delivery" : "email_changed.title_account")}</Title>
        <Paragraph>{lead(props, context)}</Paragraph>
        <Paragraph>{t("email_changed.warning")}</Paragraph>
        {orderId && <OrderNumber orderId={orderId} context={context} />}
      </>
    );
  },
};
