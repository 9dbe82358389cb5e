import { useTranslations } from "next-intl";

/** The labels of the activation dialog. */
export function useActivateLabels() {
  const t = useTranslations("delivery.activate");
  const errors = useTranslations("errors");
  return {
    button: t("button"),
    change: t("change"),
    title: t("title"),
    text: t("text"),
    used: t("used"),
    at: t("at"),
    confirm: t("confirm"),
    cancel: t("cancel"),
    close: t("close"),
    done: t("done"),
    network: errors("network"),
  };
}
export type ActivateLabels = ReturnType<typeof useActivateLabels>;

/** The labels of the replacement request. */
export function useReplaceLabels() {
  const t = useTranslations("delivery.replace");
  const errors = useTranslations("errors");
  return {
    button: t("button"),
    title: t("title"),
    text: t("text"),
    reason: t("reason"),
    hint: t("hint"),
    confirm: t("confirm"),
    cancel: t("cancel"),
    close: t("close"),
    done: t("done"),
    network: errors("network"),
  };
}
export type ReplaceLabels = ReturnType<typeof useReplaceLabels>;
