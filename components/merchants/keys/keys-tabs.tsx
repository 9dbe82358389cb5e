"use client";

import { useTranslations } from "next-intl";
import { StateTabs } from "@/components/console/state-tabs";

/** The parts of a merchant's codes: stock, adding codes, batches. */
export function KeysTabs({ handle, current }: { handle: string; current: "stock" | "add" | "batches" }) {
  const t = useTranslations("console.merchant_keys");
  const path = `/merchant/${handle}/keys`;
  return (
    <StateTabs
      label={t("title")}
      current={current}
      tabs={[
        { value: "stock", label: t("tabs.stock"), href: path },
        { value: "add", label: t("tabs.add"), href: `${path}/import` },
        { value: "batches", label: t("tabs.batches"), href: `${path}/batches` },
      ]}
    />
  );
}
