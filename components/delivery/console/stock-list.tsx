"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useMemo } from "react";
import type { Column } from "@/components/console/data-table";
import type { Filter, FilterValues } from "@/components/console/filter-bar";
import { ConsoleLink } from "@/components/console/link";
import { ListScreen } from "@/components/console/list-screen";
import { Pill } from "@/components/console/pill";
import { useTimeZone } from "@/components/ui/local-time";
import { useSurface } from "@/components/ui/surface";
import { COUNTED_STOCK } from "@/lib/catalog/console/rules";
import { PASS_TYPES } from "@/lib/catalog/rules";
import type { ConsoleStock, ConsoleStockList } from "@/lib/delivery/console/contract";
import { formatDate } from "@/lib/platform/format";

const counted = (count: number) => (count >= COUNTED_STOCK ? `${COUNTED_STOCK}+` : count);

type Props = { list: ConsoleStockList; values: FilterValues; tools: ReactNode };

/** The codes in stock, by plan. */
export function ConsoleStockScreen({ list, values, tools }: Props) {
  const t = useTranslations("console.keys");
  const { locale } = useSurface();
  const timeZone = useTimeZone();
  const yes = [{ value: "true", label: t("yes") }];
  const filters: Filter[] = [
    { name: "vendor", label: t("vendor_slug"), kind: "text", first: true },
    {
      name: "no_stock",
      label: t("no_stock"),
      kind: "choice",
      first: true,
      options: yes,
    },
    { name: "waiting", label: t("people_wait"), kind: "choice", first: true, options: yes },
    { name: "category", label: t("category"), kind: "text" },
    {
      name: "vip_type",
      label: t("type"),
      kind: "choice",
      options: PASS_TYPES.map((value) => ({ value, label: t(`types.${value}`) })),
    },
    {
      name: "listed",
      label: t("state"),
      kind: "choice",
      options: [
        { value: "true", label: t("listed") },
        { value: "false", label: t("unlisted") },
      ],
    },
    { name: "product_id", label: t("product_id"), kind: "number" },
    { name: "vip_id", label: t("vip_id"), kind: "number" },
  ];
  const columns = useMemo(
    (): Column<ConsoleStock>[] => [
      {
        id: "plan",
        header: t("plan"),
        main: true,
        cell: ({ product_id, product_name, vip_type, listed }) => (
          <>
            <ConsoleLink href={`/console/products?product_id=${product_id}`} className="text-link">
              {product_name}
            </ConsoleLink>
            {` · ${vip_type} `}
            {!listed && <Pill>{t("unlisted")}</Pill>}
          </>
        ),
      },
      { id: "vendor", header: t("vendor"), cell: ({ vendor }) => vendor },
      {
        id: "available",
        header: t("available"),
        align: "end",
        cell: ({ available }) => (available === 0 ? <Pill tone="bad">{t("none")}</Pill> : counted(available)),
      },
      { id: "reserved", header: t("reserved"), align: "end", cell: ({ reserved }) => counted(reserved) },
      { id: "sold", header: t("sold"), align: "end", cell: ({ sold_28_days }) => sold_28_days },
      {
        id: "cover",
        header: t("cover"),
        align: "end",
        cell: ({ days_of_cover }) => (days_of_cover === null ? "–" : t("days", { count: days_of_cover })),
      },
      { id: "waiting", header: t("waiting"), align: "end", cell: ({ waiting }) => counted(waiting) },
      {
        id: "redeem",
        header: t("next_redeem_by"),
        cell: ({ next_redeem_by }) => (next_redeem_by ? formatDate(next_redeem_by, locale, timeZone) : "–"),
      },
    ],
    [t, locale, timeZone],
  );
  return (
    <ListScreen
      name="keys"
      title={t("title")}
      lead={t("lead")}
      list={list}
      values={values}
      filters={filters}
      columns={columns}
      rowId={({ vip_id }) => String(vip_id)}
      rowName={({ product_name, vip_type }) => `${product_name} ${vip_type}`}
      empty={t("empty")}
      tools={tools}
    />
  );
}
