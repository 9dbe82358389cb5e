import { formatMoment } from "@/lib/platform/format";
import { Action, Paragraph, Title } from "./parts";
import type { MailTemplate } from "./template";

export type PayoutAccountProps = {
  /** The merchant's name. */
  merchant: string;
  handle: string;
  what: "set" | "cancelled";
  /** of the account's number; emails have no more of it */
  lastFour: string;
  countsFrom: Date;
  /** who did it: an address; empty: somebody who is gone */
  by: string;
};

/** Tells the owners that the account to which they are paid changes, or does not. */
export const payoutAccountMail: MailTemplate<PayoutAccountProps> = {
  subject: ({ merchant, what }, { t }) => t(`payout_account.subject_${what}`, { merchant }),
  preview: ({ what, lastFour }, { t }) => t(`payout_account.lead_${what}`, { last: lastFour }),
  why: ({ t, brand }) => t("merchant_notice.why", { brand }),
  body({ merchant, handle, what, lastFour, countsFrom, by }, { t, link, locale, timeZone }) {
    return (
      <>
        <Title>{t(`payout_account.subject_${what}`, { merchant })}</Title>
        <Paragraph>{t(`payout_account.lead_${what}`, { last: lastFour })}</Paragraph>
        {what === "set" && (
          <Paragraph>
            {t("payout_account.waits", { time: formatMoment(countsFrom, locale, timeZone) })}
          </Paragraph>
        )}
        {by && <Paragraph>{t("payout_account.by", { by })}</Paragraph>}
        {what === "set" && <Paragraph>{t("payout_account.not_you")}</Paragraph>}
        <Action href={link(`/merchant/${handle}/money`)}>{t("payout_account.action")}</Action>
      </>
    );
  },
};
