"use client";

import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import type { Column } from "@/components/console/data-table";
import type { Filter, FilterValues } from "@/components/console/filter-bar";
import { ListScreen } from "@/components/console/list-screen";
import { Pill } from "@/components/console/pill";
import { useTimeZone } from "@/components/ui/local-time";
import { useSurface } from "@/components/ui/surface";
import { COUNTED_STOCK } from "@/lib/catalog/console/rules";
import type { MerchantStock, MerchantStockList } from "@/lib/merchants/key-files/contract";
import { COUNTED_KEYS } from "@/lib/merchants/key-files/rules";
import { formatDate } from "@/lib/platform/format";
import { AlertDialog } from "./alert-dialog";
import { KeysTabs } from "./keys-tabs";

type Props = { handle: string; list: MerchantStockList; values: FilterValues };

/** The codes of a merchant's plans, and when it is notified that they run low. */
export function StockScreen({ handle, list, values }: Props) {
  const t = useTranslations("console.merchant_keys");
  const { locale } = useSurface();
  const timeZone = useTimeZone();
  const [opened, setOpened] = useState<MerchantStock>();
  const yes = [{ value: "true", label: t("yes") }];
  const filters: Filter[] = [
    { name: "no_stock", label: t("no_stock"), kind: "choice", first: true, options: yes },
    { name: "waiting", label: t("people_wait"), kind: "choice", first: true, options: yes },
  ];
  const columns = useMemo((): Column<MerchantStock>[] => {
    const counted = (count: number, limit: number) =>
      `${count.toLocaleString(locale)}${count >= limit ? "+" : ""}`;
    return [
      {
        id: "plan",
        header: t("plan"),
        main: true,
        cell: ({ product_name, plan_label, listed, low }) => (
          <>
            {`${product_name} · ${plan_label} `}
            {low && <Pill tone="warn">{t("low")}</Pill>} {!listed && <Pill>{t("unlisted")}</Pill>}
          </>
        ),
      },
      {
        id: "available",
        header: t("available"),
        align: "end",
        cell: ({ available }) =>
          available === 0 ? <Pill tone="bad">{t("none")}</Pill> : counted(available, COUNTED_KEYS),
      },
      {
        id: "reserved",
        header: t("reserved"),
        align: "end",
        cell: ({ reserved }) => counted(reserved, COUNTED_STOCK),
      },
      {
        id: "sold",
        header: t("sold"),
        align: "end",
        cell: ({ sold_28_days }) => sold_28_days.toLocaleString(locale),
      },
      {
        id: "cover",
        header: t("cover"),
        align: "end",
        cell: ({ days_of_cover }) => (days_of_cover === null ? "–" : t("days", { count: days_of_cover })),
      },
      {
        id: "waiting",
        header: t("waiting"),
        align: "end",
        cell: ({ waiting }) => counted(waiting, COUNTED_STOCK),
      },
      {
        id: "redeem",
        header: t("next_redeem_by"),
        cell: ({ next_redeem_by }) => (next_redeem_by ? formatDate(next_redeem_by, locale, timeZone) : "–"),
      },
      {
        id: "suggested",
        header: t("suggested"),
        align: "end",
        cell: ({ suggested }) => (suggested === 0 ? "–" : suggested.toLocaleString(locale)),
      },
      {
        id: "alert",
        header: t("alert"),
        cell: (row) => (
          <button
            type="button"
            className="text-left text-link max-[899px]:min-h-11"
            onClick={() => setOpened(row)}
          >
            {t(`alert_at.${row.alert.kind}`, { value: row.alert.value })}
          </button>
        ),
      },
    ];
  }, [t, locale, timeZone]);
  return (
    <>
      <ListScreen
        name="merchant-stock"
        path={`/merchant/${handle}/keys`}
        title={t("title")}
        lead={t("lead")}
        list={list}
        values={values}
        filters={filters}
        columns={columns}
        rowId={({ plan_id }) => String(plan_id)}
        rowName={({ product_name, plan_label }) => `${product_name} ${plan_label}`}
        empty={t("empty")}
        tools={<KeysTabs handle={handle} current="stock" />}
      />
      {opened && <AlertDialog key={opened.plan_id} plan={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}
