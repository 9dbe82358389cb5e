import { useTranslations } from "next-intl";
import { MIN_PASSWORD_LENGTH } from "@/lib/accounts/rules";
import type { RegisterFieldLabels } from "./register-fields";

export function useRegisterFieldLabels(): RegisterFieldLabels {
  const t = useTranslations("accounts");
  return {
    username: t("field.username"),
    email: t("field.email"),
    emailHint: t("field.email_hint"),
    password: t("field.password"),
    passwordHint: t("field.password_hint", { count: MIN_PASSWORD_LENGTH }),
    repeat: t("field.repeat"),
    show: t("field.show"),
    hide: t("field.hide"),
    ageLegend: t("age.legend"),
    ages: {
      adult: t("age.adult"),
      minor_with_guardian: t("age.minor_with_guardian"),
      under_13: t("age.under_13"),
    },
    privacy: t("privacy.label"),
    privacyHint: t("privacy.hint"),
    loginInstead: t("register.login_instead"),
  };
}
