import { maskEmail } from "@/lib/accounts/rules";
import { Paragraph, Title } from "./parts";
import { OrderNumber } from "./pass";
import type { MailContext, MailTemplate } from "./template";

/** The delivery email of an order has changed. Sent to the old address, which others may read: the new one is masked. */
export type EmailChangedProps = { address: string; orderId: string };

const lead = ({ address }: EmailChangedProps, { t }: MailContext) =>
  t("email_changed.lead_delivery", { address: maskEmail(address) });

export const emailChangedMail: MailTemplate<EmailChangedProps> = {
  subject: (_, { t }) => t("email_changed.subject_delivery"),
  preview: lead,
  body(props, context) {
    const { t } = context;
    return (
      <>
        <Title>{t("email_changed.title_delivery")}</Title>
        <Paragraph>{lead(props, context)}</Paragraph>
        <Paragraph>{t("email_changed.warning")}</Paragraph>
        <OrderNumber orderId={props.orderId} context={context} />
      </>
    );
  },
};
