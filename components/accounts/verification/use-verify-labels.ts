import { useTranslations } from "next-intl";
import { CODE_DIGITS } from "@/lib/accounts/rules";
import { useCodeLabels } from "./use-code-labels";

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
