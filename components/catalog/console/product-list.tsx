"use client";

import { useTranslations } from "next-intl";
import { BulkActions } from "@/components/catalog/console/bulk-actions";
import { ConsoleLink } from "@/components/console/link";
import { columnsOf } from "@/components/console/list/columns";
import { StaffList } from "@/components/staff/staff-list";
import type { Option } from "@/components/ui/select";
import type { ConsoleProduct, ConsoleProductList } from "@/lib/catalog/console/contract";
import { mayStaff } from "@/lib/platform/auth/permissions";
import type { StaffListData } from "@/lib/staff/lists/contract";

const PATH = "/console/products";
const column = columnsOf<ConsoleProduct>();
const stockOf = ({ product_id }: ConsoleProduct) => `/console/keys?product_id=${product_id}`;

/** The list of products for staff. */
export function ConsoleProducts({
  categories,
  ...data
}: StaffListData<ConsoleProductList> & { categories: readonly Option[] }) {
  const t = useTranslations("console.products");
  const mayWrite = mayStaff(data.roles, "products.write");
  const hrefOf = (row: ConsoleProduct) => (mayWrite ? `${PATH}/${row.product_id}` : stockOf(row));
  return (
    <StaffList
      {...data}
      declared={{
        title: t("title"),
        empty: t("empty"),
        rowId: ({ product_id }) => String(product_id),
        rowName: ({ product_name }) => product_name,
        href: hrefOf,
        texts: { main: "name", options: { category: categories } },
        views: [
          { id: "all", label: t("views.all"), filters: {} },
          { id: "unlisted", label: t("unlisted"), filters: { listed: "false" } },
          { id: "no_stock", label: t("no_stock"), filters: { no_stock: "true" } },
          { id: "untranslated", label: t("untranslated"), filters: { untranslated: "true" } },
          { id: "unsold", label: t("unsold"), filters: { unsold: "true" } },
        ],
        columns: [
          column.link("name", t("name"), (row) => ({ text: row.product_name, href: hrefOf(row) }), {
            main: true,
          }),
          column.link(
            "vendor",
            t("vendor"),
            ({ vendor, vendor_slug }) => ({
              text: vendor,
              href: `${PATH}?vendor=${encodeURIComponent(vendor_slug)}`,
            }),
            { width: 136 },
          ),
          column.text(
            "category",
            t("category"),
            ({ category }) => categories.find(({ value }) => value === category)?.label ?? category,
            { width: 132, minor: true },
          ),
          column.count("plans", t("plans"), ({ plans }) => plans, { width: 60 }),
          column.money("price", t("price_from"), ({ price_from }) => price_from),
          column.link(
            "stock",
            t("stock"),
            (row) => ({ text: `${row.stock}${row.stock_exact ? "" : "+"}`, href: stockOf(row) }),
            { width: 72, end: true },
          ),
          column.state(
            "state",
            t("state"),
            ({ listed, untranslated }) => [
              { text: t(listed ? "listed" : "unlisted"), tone: listed ? "good" : "plain" },
              untranslated.length > 0 && {
                text: t("lacks", { languages: untranslated.join(", ") }),
                tone: "warn",
              },
            ],
            { width: 132 },
          ),
          column.time("updated", t("updated"), ({ updated_at }) => updated_at),
        ],
        actions: [
          {
            id: "page",
            label: t("to_page"),
            href: ({ slug }) => `/product/${slug}`,
          },
        ],
        ...(mayWrite && {
          bulk: [
            {
              id: "change",
              controls: (rows: ConsoleProduct[]) => <BulkActions products={rows} categories={categories} />,
            },
          ],
          tools: (
            <ConsoleLink href={`${PATH}/new`} className="button button-primary">
              {t("new")}
            </ConsoleLink>
          ),
        }),
      }}
    />
  );
}
