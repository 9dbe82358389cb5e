"use client";

import { useTranslations } from "next-intl";
import { StateTabs } from "@/components/console/state-tabs";

/** The codes in stock by plan, and the batches in which merchants sent them. */
export function KeyViewTabs({ current }: { current: "stock" | "batches" }) {
  const t = useTranslations("console.keys");
  return (
    <StateTabs
      label={t("views")}
      current={current}
      tabs={[
        { value: "stock", label: t("view_stock"), href: "/console/keys" },
        { value: "batches", label: t("view_batches"), href: "/console/keys/batches" },
      ]}
    />
  );
}
