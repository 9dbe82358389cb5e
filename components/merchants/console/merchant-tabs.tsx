"use client";

import { useTranslations } from "next-intl";
import { StateTabs } from "@/components/console/state-tabs";
import { MERCHANT_TABS, type MerchantTab } from "./merchant-tab";

/** The links to the parts of a merchant's page. */
export function MerchantTabs({ id, current }: { id: string; current: MerchantTab }) {
  const t = useTranslations("console.merchants");
  const path = `/console/merchants/${id}`;
  const hrefOf = (tab: MerchantTab) => {
    if (tab === "overview") return path;
    return tab === "sales" ? `${path}/sales` : `${path}?tab=${tab}`;
  };
  return (
    <StateTabs
      label={t("parts")}
      current={current}
      tabs={MERCHANT_TABS.map((value) => ({ value, label: t(`tab.${value}`), href: hrefOf(value) }))}
    />
  );
}
