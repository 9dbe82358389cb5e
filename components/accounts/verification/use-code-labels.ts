import { useTranslations } from "next-intl";
import { CODE_DIGITS, CODE_MINUTES } from "@/lib/accounts/rules";

/** The labels of a form with a code. The browser replaces `%s` with the email. */
export function useCodeLabels() {
  const t = useTranslations("accounts");
  const errors = useTranslations("errors");
  return {
    label: t("code.label"),
    sent: t("code.sent", { email: "%s", minutes: CODE_MINUTES }),
    already: t("code.already", { email: "%s" }),
    stillValid: t("code.still_valid", { minutes: CODE_MINUTES }),
    spam: t("code.spam"),
    resend: t("code.resend"),
    resendIn: t("code.resend_in"),
    resendSpoken: t("code.resend_said"),
    day: t("code.day"),
    missing: t("missing.code", { count: CODE_DIGITS }),
    network: errors("network"),
  };
}

export type CodeLabels = ReturnType<typeof useCodeLabels>;

/** The labels of the form that verifies the email. */
export function useVerifyLabels() {
  const t = useTranslations("accounts.verify");
  return {
    title: t("title"),
    text: t("text"),
    send: t("send"),
    submit: t("submit"),
    done: t("done"),
    code: useCodeLabels(),
  };
}

export type VerifyLabels = ReturnType<typeof useVerifyLabels>;
