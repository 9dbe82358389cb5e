import type { IdentityProvider, SecurityNoticeKind } from "@/lib/accounts/rules";
import { Action, Paragraph, Quiet, Title } from "./parts";
import type { MailContext, MailTemplate } from "./template";

/** What happened to an account; goes out each time, so that nobody loses one without hearing of it. */
export type AccountNoticeProps = {
  kind: SecurityNoticeKind;
  /** email_changed_old: the new address, masked: whoever reads the old mailbox need not learn it. */
  address?: string;
  /** sign_in_linked: what opens the account now. */
  provider?: IdentityProvider;
};

const PROVIDERS: Record<IdentityProvider, string> = { google: "Google", github: "GitHub" };

const noticeValues = ({ address, provider }: AccountNoticeProps, { brand }: MailContext) => ({
  brand,
  address: address ?? "",
  provider: provider ? PROVIDERS[provider] : "",
});

/** Where the reader sets a new password: what helps against a stranger who is in. */
const HELPS: SecurityNoticeKind[] = ["password_changed", "email_changed_new", "sign_in_linked"];

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
        {HELPS.includes(kind) && (
          <Action href={link("/set-new-password")}>{t("account_notice.action")}</Action>
        )}
        {HELPS.includes(kind) && <Quiet>{t("account_notice.you")}</Quiet>}
      </>
    );
  },
};
