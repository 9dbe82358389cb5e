import { useTranslations } from "next-intl";

export type WishLabels = ReturnType<typeof useWishLabels>;

/** The labels of the wishlist's button, formatted for the client. */
export function useWishLabels() {
  const t = useTranslations("notifications.wishlist");
  return {
    save: t("save"),
    saved: t("saved"),
    added: t("added"),
    removed: t("removed"),
    undo: t("undo"),
    view: t("view"),
    network: useTranslations("errors")("network"),
  };
}
