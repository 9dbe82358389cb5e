import { useTranslations } from "next-intl";
import type { KeyCodeLabels } from "./key-code";

export function useKeyLabels(): KeyCodeLabels {
  const t = useTranslations("delivery.code");
  const errors = useTranslations("errors");
  return {
    label: t("label"),
    reveal: t("reveal"),
    copy: t("copy"),
    copied: t("copied"),
    failed: t("failed"),
    network: errors("network"),
  };
}
