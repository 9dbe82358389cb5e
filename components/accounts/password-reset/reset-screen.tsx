import { useTranslations } from "next-intl";
import { AuthLayout } from "@/components/accounts/sign-in/auth-layout";
import { ScopedMessages } from "@/components/shell/scoped-messages";
import type { SignInReturn } from "@/lib/accounts/sign-in/rules";
import { ResetAndSignIn } from "./reset-and-sign-in";

/** The message namespaces of the password reset form. */
export const RESET_MESSAGES = [
  "accounts.reset",
  "accounts.code",
  "accounts.missing",
  "accounts.field",
  "accounts.login.added",
  "errors.network",
  "errors.email_invalid",
  "errors.password_short",
  "errors.passwords_differ",
];

/** Password reset by an emailed code (docs/product.md#21-pages). `reset`: shows the title of /reset-password. */
export function ResetScreen({
  returnTo,
  email,
  reset,
}: {
  returnTo: SignInReturn;
  email?: string;
  reset?: boolean;
}) {
  const t = useTranslations("accounts.reset");
  return (
    <AuthLayout
      title={t(reset ? "reset_title" : "title")}
      lead={t("lead")}
      other={{
        question: t("question"),
        text: t("login"),
        href: `/login${returnTo.query}`,
      }}
    >
      <ScopedMessages branches={RESET_MESSAGES}>
        <ResetAndSignIn returnTo={returnTo} email={email?.slice(0, 254)} />
      </ScopedMessages>
    </AuthLayout>
  );
}
