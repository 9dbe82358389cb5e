"use client";

import { useTranslations } from "next-intl";
import { StateTabs } from "@/components/console/state-tabs";
import { MERCHANT_TABS, type MerchantTab } from "./merchant-tab";

/** `hasFile`: whether the viewer may read the trader file. */
type Props = { id: string; current: MerchantTab; hasFile: boolean };

/** The links to the parts of a merchant's page. */
export function MerchantTabs({ id, current, hasFile }: Props) {
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
      tabs={MERCHANT_TABS.filter((tab) => tab !== "trade" || hasFile).map((value) => ({
        value,
        label: t(`tab.${value}`),
        href: hrefOf(value),
      }))}
    />
  );
}
