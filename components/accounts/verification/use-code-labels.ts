import { useTranslations } from "next-intl";
import { CODE_MINUTES } from "@/lib/accounts/rules";

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
