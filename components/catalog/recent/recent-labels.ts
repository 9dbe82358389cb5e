import { useTranslations } from "next-intl";
import type { RecentLabels } from "./recent-section";

export function useRecentLabels(): RecentLabels {
  const t = useTranslations("catalog.recent");
  return { title: t("title"), clear: t("clear") };
}
