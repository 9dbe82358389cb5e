"use client";

import { useTranslations } from "next-intl";
import { StateTabs } from "@/components/console/state-tabs";

/** The codes in stock by plan, the batches in which merchants sent them, and those that are withheld. */
export function KeyViewTabs({ current }: { current: "stock" | "batches" | "withheld" }) {
  const t = useTranslations("console.keys");
  return (
    <StateTabs
      label={t("views")}
      current={current}
      tabs={[
        { value: "stock", label: t("view_stock"), href: "/console/keys" },
        { value: "batches", label: t("view_batches"), href: "/console/keys/batches" },
        { value: "withheld", label: t("view_withheld"), href: "/console/keys/withheld" },
      ]}
    />
  );
}
