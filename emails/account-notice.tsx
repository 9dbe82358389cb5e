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

function noticeText(
  part: "subject" | "title" | "lead" | "not_you",
  { kind, address = "", provider }: AccountNoticeProps,
  { t, brand }: MailContext,
) {
  return t(`account_notice.${part}.${kind}`, {
    brand,
    address,
    provider: provider ? PROVIDERS[provider] : "",
  });
}

/** Notices that offer to set a new password, which signs out an intruder or opens the account again. */
const OFFERS_NEW_PASSWORD: SecurityNoticeKind[] = [
  "password_changed",
  "new_password_required",
  "email_changed_new",
  "sign_in_linked",
  "second_factor_set",
  "recovery_code_used",
  "second_factor_locked",
];

export const accountNoticeMail: MailTemplate<AccountNoticeProps> = {
  subject: (props, context) => noticeText("subject", props, context),
  preview: (props, context) => noticeText("lead", props, context),
  body(props, context) {
    const { t, link } = context;
    return (
      <>
        <Title>{noticeText("title", props, context)}</Title>
        <Paragraph>{noticeText("lead", props, context)}</Paragraph>
        <Paragraph>{noticeText("not_you", props, context)}</Paragraph>
        {OFFERS_NEW_PASSWORD.includes(props.kind) && (
          <>
            <Action href={link("/set-new-password")}>{t("account_notice.action")}</Action>
            {props.kind !== "new_password_required" && <Quiet>{t("account_notice.you")}</Quiet>}
          </>
        )}
      </>
    );
  },
};
