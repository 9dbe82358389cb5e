import type { IdentityProvider, SecurityNoticeKind } from "@/lib/accounts/rules";
import { Action, Paragraph, Quiet, Title } from "./parts";
import type { MailContext, MailTemplate } from "./template";

/** A security notice about an account. It is always sent, so that the owner learns of every change. */
export type AccountNoticeProps = {
  kind: SecurityNoticeKind;
  /** email_changed_old: the new address, masked, because others may read the old mailbox. */
  address?: string;
  /** sign_in_linked: the provider that can now sign in. */
  provider?: IdentityProvider;
};

const PROVIDERS: Record<IdentityProvider, string> = { google: "Google", github: "GitHub" };

const noticeValues = ({ address, provider }: AccountNoticeProps, { brand }: MailContext) => ({
  brand,
  address: address ?? "",
  provider: provider ? PROVIDERS[provider] : "",
});

/** Notices that offer to set a new password, which signs out an intruder. */
const OFFERS_NEW_PASSWORD: SecurityNoticeKind[] = ["password_changed", "email_changed_new", "sign_in_linked"];

export const accountNoticeMail: MailTemplate<AccountNoticeProps> = {
  subject: (props, context) =>
    context.t(`account_notice.subject.${props.kind}`, noticeValues(props, context)),
  preview: (props, context) => context.t(`account_notice.lead.${props.kind}`, noticeValues(props, context)),
  body(props, context) {
    const { t, link } = context;
    const { kind } = props;
    return (
      <>
        <Title>{t(`account_notice.title.${kind}`, noticeValues(props, context))}</Title>
        <Paragraph>{t(`account_notice.lead.${kind}`, noticeValues(props, context))}</Paragraph>
        <Paragraph>{t(`account_notice.not_you.${kind}`, noticeValues(props, context))}</Paragraph>
        {OFFERS_NEW_PASSWORD.includes(kind) && (
          <Action href={link("/set-new-password")}>{t("account_notice.action")}</Action>
        )}
        {OFFERS_NEW_PASSWORD.includes(kind) && <Quiet>{t("account_notice.you")}</Quiet>}
      </>
    );
  },
};
