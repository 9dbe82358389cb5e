import type { NoticeState } from "@/lib/merchants/rules";
import { Action, Paragraph, Title } from "./parts";
import type { MailTemplate } from "./template";

export type MerchantNoticeProps = {
  /** The merchant's name. */
  merchant: string;
  handle: string;
  /** What staff made it. */
  state: NoticeState;
  /** Written by staff; an empty one is left out. */
  note: string;
};

export const merchantNoticeMail: MailTemplate<MerchantNoticeProps> = {
  subject: ({ merchant, state }, { t }) => t(`merchant_notice.subject_${state}`, { merchant }),
  preview: ({ state }, { t }) => t(`merchant_notice.lead_${state}`),
  why: ({ t, brand }) => t("merchant_notice.why", { brand }),
  body: ({ merchant, handle, state, note }, { t, link }) => (
    <>
      <Title>{t(`merchant_notice.subject_${state}`, { merchant })}</Title>
      <Paragraph>{t(`merchant_notice.lead_${state}`)}</Paragraph>
      {note && <Paragraph>{t("merchant_notice.note", { note })}</Paragraph>}
      <Action href={link(`/merchant/${handle}`)}>{t("merchant_notice.action")}</Action>
    </>
  ),
};
