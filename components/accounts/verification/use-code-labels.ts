import { useTranslations } from "next-intl";
import { CODE_DIGITS, CODE_MINUTES } from "@/lib/accounts/rules";

/** The labels of the code field. The browser replaces `%s` with the email. */
export function useCodeLabels() {
  const t = useTranslations("accounts.code");
  return {
    label: t("label"),
    sent: t("sent", { email: "%s", minutes: CODE_MINUTES }),
    already: t("already", { email: "%s" }),
    stillValid: t("still_valid", { minutes: CODE_MINUTES }),
    spam: t("spam"),
    resend: t("resend"),
    resendIn: t("resend_in"),
    resendSpoken: t("resend_said"),
    day: t("day"),
  };
}

export type CodeLabels = ReturnType<typeof useCodeLabels>;

/** The labels of the form that verifies the email. */
export function useVerifyLabels() {
  const t = useTranslations("accounts");
  const errors = useTranslations("errors");
  return {
    title: t("verify.title"),
    text: t("verify.text"),
    send: t("verify.send"),
    submit: t("verify.submit"),
    done: t("verify.done"),
    codeMissing: t("missing.code", { count: CODE_DIGITS }),
    code: useCodeLabels(),
    network: errors("network"),
  };
}

export type VerifyLabels = ReturnType<typeof useVerifyLabels>;
