import { useTranslations } from "next-intl";

/** The labels of the order buttons and confirmations. */
export function useOrderActionLabels() {
  const t = useTranslations("orders.actions");
  const errors = useTranslations("errors");
  return {
    remove: t("remove"),
    removeTitle: t("remove_title"),
    removeText: t("remove_text"),
    removed: t("removed"),
    cancel: t("cancel"),
    cancelTitle: t("cancel_title"),
    cancelText: t("cancel_text"),
    cancelled: t("cancelled"),
    keep: t("keep"),
    close: t("close"),
    network: errors("network"),
  };
}

export type OrderActionLabels = ReturnType<typeof useOrderActionLabels>;
