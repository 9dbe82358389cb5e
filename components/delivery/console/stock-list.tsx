"use client";

import { useTranslations } from "next-intl";
import { columnsOf } from "@/components/console/list/columns";
import { Pill } from "@/components/console/pill";
import { KeyViewTabs } from "@/components/delivery/console/key-tabs";
import { StaffList } from "@/components/staff/staff-list";
import { COUNTED_STOCK } from "@/lib/catalog/console/rules";
import type { PassType } from "@/lib/catalog/rules";
import type { ConsoleStock, ConsoleStockList } from "@/lib/delivery/console/contract";
import type { StaffListData } from "@/lib/staff/lists/contract";

const column = columnsOf<ConsoleStock>();
const hrefOf = ({ product_id }: ConsoleStock) => `/console/products?product_id=${product_id}`;
const limit = COUNTED_STOCK;

/** The codes in stock, by plan. */
export function ConsoleStockScreen(data: StaffListData<ConsoleStockList>) {
  const t = useTranslations("console.keys");
  const typeName = (value: string) => t(`types.${value as PassType}`);
  return (
    <StaffList
      {...data}
      declared={{
        title: t("title"),
        lead: t("lead"),
        empty: t("empty"),
        rowId: ({ vip_id }) => String(vip_id),
        rowName: ({ product_name, vip_type }) => `${product_name} ${vip_type}`,
        href: hrefOf,
        texts: {
          main: "vendor",
          values: { vip_type: typeName, pass_type: typeName },
          labels: { waiting: t("people_wait") },
        },
        views: [
          { id: "all", label: t("all"), filters: {} },
          { id: "no_stock", label: t("no_stock"), filters: { no_stock: "true" } },
          { id: "waiting", label: t("people_wait"), filters: { waiting: "true" } },
        ],
        columns: [
          column.link(
            "plan",
            t("plan"),
            (row) => ({ text: `${row.product_name} · ${row.vip_type}`, href: hrefOf(row) }),
            { main: true },
          ),
          column.text("vendor", t("vendor"), ({ vendor }) => vendor, { card: "sub" }),
          column.state("state", t("state"), ({ listed }) => ({ text: t(listed ? "listed" : "unlisted") }), {
            width: 100,
            minor: true,
          }),
          column.cell(
            "available",
            t("available"),
            ({ available }) =>
              available === 0 ? (
                <Pill tone="bad">{t("none")}</Pill>
              ) : available >= limit ? (
                `${limit}+`
              ) : (
                available
              ),
            { width: 88, end: true, card: "end" },
          ),
          column.count("reserved", t("reserved"), ({ reserved }) => reserved, { limit }),
          column.count("sold", t("sold"), ({ sold_28_days }) => sold_28_days, { width: 104 }),
          column.text(
            "cover",
            t("cover"),
            ({ days_of_cover }) => (days_of_cover === null ? null : t("days", { count: days_of_cover })),
            { width: 96, end: true, card: "mark" },
          ),
          column.count("waiting", t("waiting"), ({ waiting }) => waiting, { limit }),
          column.date("redeem", t("next_redeem_by"), ({ next_redeem_by }) => next_redeem_by, { width: 132 }),
        ],
        tools: <KeyViewTabs current="stock" />,
      }}
    />
  );
}
