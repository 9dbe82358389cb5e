import { formatPrice } from "@/lib/platform/money";
import { Action, Paragraph, Title } from "./parts";
import type { MailTemplate } from "./template";

export type PayoutNoticeProps = {
  /** The merchant's name. */
  merchant: string;
  handle: string;
  notice: "sent" | "confirmed" | "failed" | "returned";
  cents: number;
  /** of the account's number */
  lastFour: string;
  /** why it failed or came back; empty: nobody said */
  reason: string;
};

/** Tells the owners that a payout was sent, has arrived, failed or came back. */
export const payoutNoticeMail: MailTemplate<PayoutNoticeProps> = {
  subject: ({ notice, cents }, { t, locale }) =>
    t(`payout_notice.subject_${notice}`, { amount: formatPrice(cents, locale) }),
  preview: ({ notice, lastFour }, { t }) => t(`payout_notice.lead_${notice}`, { last: lastFour }),
  why: ({ t, brand }) => t("merchant_notice.why", { brand }),
  body: ({ merchant, handle, notice, cents, lastFour, reason }, { t, link, locale }) => (
    <>
      <Title>{t(`payout_notice.subject_${notice}`, { amount: formatPrice(cents, locale) })}</Title>
      <Paragraph>{merchant}</Paragraph>
      <Paragraph>{t(`payout_notice.lead_${notice}`, { last: lastFour })}</Paragraph>
      {reason && <Paragraph>{t("payout_notice.reason", { reason })}</Paragraph>}
      <Action href={link(`/merchant/${handle}/money`)}>{t("payout_notice.action")}</Action>
    </>
  ),
};
