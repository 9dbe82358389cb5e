import { useTranslations } from "next-intl";
import { AuthLayout } from "@/components/accounts/sign-in/auth-layout";
import { SocialSection } from "@/components/accounts/sign-in/social-section";
import { useCodeLabels } from "@/components/accounts/verification/use-code-labels";
import { Link } from "@/components/ui/link";
import { CODE_DIGITS } from "@/lib/accounts/rules";
import type { SignInReturn } from "@/lib/accounts/sign-in/rules";
import type { SignInProviders } from "@/lib/accounts/social-sign-in/rules";
import { RegisterForm, type RegisterLabels } from "./register-form";
import { useRegisterFieldLabels } from "./use-register-field-labels";

/** The registration page (docs/product.md#21-pages). */
export function RegisterScreen({
  returnTo,
  providers,
}: {
  returnTo: SignInReturn;
  providers: SignInProviders;
}) {
  const t = useTranslations("accounts");
  return (
    <AuthLayout
      title={t("register.title")}
      lead={t(returnTo.add ? "register.lead_add" : "register.lead")}
      stub={
        <>
          <span className="text-quiet">{t("register.question")}</span>
          <Link href={`/login${returnTo.query}`} className="text-link flex min-h-11 items-center font-medium">
            {t("register.login")}
          </Link>
        </>
      }
    >
      <RegisterForm labels={useRegisterLabels()} returnTo={returnTo} />
      <SocialSection providers={providers} returnTo={returnTo} />
    </AuthLayout>
  );
}

function useRegisterLabels(): RegisterLabels {
  const t = useTranslations("accounts");
  const errors = useTranslations("errors");
  return {
    fields: useRegisterFieldLabels(),
    errors: {
      username_missing: t("missing.username"),
      username_invalid: errors("username_invalid"),
      email_invalid: errors("email_invalid"),
      password_short: errors("password_short"),
      passwords_differ: errors("passwords_differ"),
      age_missing: t("missing.age"),
      under_age: errors("under_age"),
      privacy_required: errors("privacy_required"),
    },
    code: useCodeLabels(),
    codeMissing: t("missing.code", { count: CODE_DIGITS }),
    send: t("register.send"),
    sendHint: t("register.send_hint", { count: CODE_DIGITS }),
    submit: t("register.submit"),
    direct: t("register.direct"),
    directHint: t("register.direct_hint"),
    added: t("login.added"),
    network: errors("network"),
  };
}
