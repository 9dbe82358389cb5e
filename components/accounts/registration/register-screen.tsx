import { useTranslations } from "next-intl";
import { AuthLayout } from "@/components/accounts/sign-in/auth-layout";
import { type SignInProps, SocialSection } from "@/components/accounts/sign-in/social-section";
import { useCodeLabels } from "@/components/accounts/verification/use-code-labels";
import { CODE_DIGITS, MIN_PASSWORD_LENGTH } from "@/lib/accounts/rules";
import { RegisterForm } from "./register-form";

/** The registration page (docs/product.md#21-pages). */
export function RegisterScreen({ returnTo, providers }: SignInProps) {
  const t = useTranslations("accounts");
  return (
    <AuthLayout
      title={t("register.title")}
      lead={t(returnTo.add ? "register.lead_add" : "register.lead")}
      other={{
        question: t("register.question"),
        text: t("register.login"),
        href: `/login${returnTo.query}`,
      }}
    >
      <RegisterForm labels={useRegisterLabels()} returnTo={returnTo} />
      <SocialSection providers={providers} returnTo={returnTo} />
    </AuthLayout>
  );
}

export type RegisterLabels = ReturnType<typeof useRegisterLabels>;

function useFieldLabels() {
  const t = useTranslations("accounts");
  return {
    email: t("field.email"),
    password: t("field.password"),
    passwordHint: t("field.password_hint", { count: MIN_PASSWORD_LENGTH }),
    show: t("field.show"),
    hide: t("field.hide"),
    ageLegend: t("age.legend"),
    ages: {
      adult: t("age.adult"),
      minor_with_guardian: t("age.minor_with_guardian"),
      under_13: t("age.under_13"),
    },
    guardian: t("age.guardian"),
    privacy: t("privacy.label"),
    loginInstead: t("register.login_instead"),
  };
}

/** The labels of the registration form. */
function useRegisterLabels() {
  const t = useTranslations("accounts");
  const errors = useTranslations("errors");
  const links = useTranslations("ui.links");
  return {
    fields: useFieldLabels(),
    errors: {
      email_invalid: errors("email_invalid"),
      password_short: errors("password_short"),
      age_missing: t("missing.age"),
      under_age: errors("under_age"),
      privacy_required: errors("privacy_required"),
    },
    code: useCodeLabels(),
    send: t("register.send"),
    sendHint: t("register.send_hint", { count: CODE_DIGITS }),
    submit: t("register.submit"),
    direct: t("register.direct"),
    directHint: t("register.direct_hint"),
    added: t("login.added"),
    legal: { refunds: links("refunds"), terms: links("terms"), privacy: links("privacy") },
  };
}
