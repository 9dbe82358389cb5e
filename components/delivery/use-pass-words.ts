import { useTranslations } from "next-intl";

/** The finished words of the question when a pass began. */
export function useActivateWords() {
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
export type ActivateWords = ReturnType<typeof useActivateWords>;

/** The finished words of the wish for another code. */
export function useReplaceWords() {
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
export type ReplaceWords = ReturnType<typeof useReplaceWords>;
