import { Paragraph, Title } from "./parts";
import { OrderNumber } from "./pass";
import type { MailContext, MailTemplate } from "./template";

/** Goes to the old address. `address` is the new one, masked: whoever reads the old mailbox need not learn it. */
export type EmailChangedProps = {
  address: string /** null: the account's own address changed */;
  orderId: string | null;
};

const lead = ({ address, orderId }: EmailChangedProps, { t }: MailContext) =>
  t(orderId ? "email_changed.lead_delivery" : "email_changed.lead_account", { address });

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
