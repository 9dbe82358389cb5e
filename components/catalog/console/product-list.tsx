"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useMemo } from "react";
import { BulkActions } from "@/components/catalog/console/bulk-actions";
import type { Column } from "@/components/console/data-table";
import type { Filter, FilterValues } from "@/components/console/filter-bar";
import { ConsoleLink } from "@/components/console/link";
import { ListScreen } from "@/components/console/list-screen";
import { Pill } from "@/components/console/pill";
import { ShortTime } from "@/components/console/time";
import { Link } from "@/components/ui/link";
import type { Option } from "@/components/ui/select";
import { useSurface } from "@/components/ui/surface";
import type { ConsoleProduct, ConsoleProductList } from "@/lib/catalog/console/contract";
import { formatPrice, toCents } from "@/lib/platform/money";

type Props = {
  list: ConsoleProductList;
  values: FilterValues;
  tools: ReactNode;
  categories: readonly Option[];
  /** The viewer may change products. */
  mayWrite: boolean;
};

/** The list of products for staff. */
export function ConsoleProducts({ list, values, tools, categories, mayWrite }: Props) {
  const t = useTranslations("console.products");
  const { locale } = useSurface();
  const yes = [{ value: "true", label: t("yes") }];
  const filters: Filter[] = [
    { name: "name", label: t("name"), kind: "text", first: true },
    { name: "vendor", label: t("vendor_slug"), kind: "text", first: true },
    { name: "category", label: t("category"), kind: "choice", options: categories },
    { name: "product_id", label: t("product_id"), kind: "number" },
    {
      name: "listed",
      label: t("state"),
      kind: "choice",
      first: true,
      options: [
        { value: "true", label: t("listed") },
        { value: "false", label: t("unlisted") },
      ],
    },
    { name: "untranslated", label: t("untranslated"), kind: "choice", options: yes },
    { name: "no_stock", label: t("no_stock"), kind: "choice", options: yes },
    { name: "unsold", label: t("unsold"), kind: "choice", options: yes },
  ];
  const columns = useMemo(
    (): Column<ConsoleProduct>[] => [
      {
        id: "name",
        header: t("name"),
        main: true,
        cell: ({ product_id, slug, product_name }) =>
          mayWrite ? (
            <ConsoleLink href={`/console/products/${product_id}`} className="text-link">
              {product_name}
            </ConsoleLink>
          ) : (
            <Link href={`/product/${slug}`} className="text-link">
              {product_name}
            </Link>
          ),
      },
      {
        id: "vendor",
        header: t("vendor"),
        cell: ({ vendor, vendor_slug }) => (
          <ConsoleLink
            href={`/console/products?vendor=${encodeURIComponent(vendor_slug)}`}
            className="text-link"
          >
            {vendor}
          </ConsoleLink>
        ),
      },
      {
        id: "category",
        header: t("category"),
        cell: ({ category }) => categories.find(({ value }) => value === category)?.label ?? category,
      },
      { id: "plans", header: t("plans"), align: "end", cell: ({ plans }) => plans },
      {
        id: "price",
        header: t("price_from"),
        align: "end",
        cell: ({ price_from }) => (price_from === null ? "–" : formatPrice(toCents(price_from), locale)),
      },
      {
        id: "stock",
        header: t("stock"),
        align: "end",
        cell: ({ product_id, stock, stock_exact }) => (
          <ConsoleLink href={`/console/keys?product_id=${product_id}`} className="text-link">
            {stock_exact ? stock : `${stock}+`}
          </ConsoleLink>
        ),
      },
      {
        id: "state",
        header: t("state"),
        cell: ({ listed, untranslated }) => (
          <span className="flex flex-wrap gap-1.5">
            <Pill tone={listed ? "good" : "plain"}>{t(listed ? "listed" : "unlisted")}</Pill>
            {untranslated.length > 0 && (
              <Pill tone="warn">{t("lacks", { languages: untranslated.join(", ") })}</Pill>
            )}
          </span>
        ),
      },
      { id: "updated", header: t("updated"), cell: ({ updated_at }) => <ShortTime at={updated_at} /> },
    ],
    [t, locale, mayWrite, categories],
  );
  return (
    <ListScreen
      name="products"
      title={t("title")}
      list={list}
      values={values}
      filters={filters}
      columns={columns}
      rowId={({ product_id }) => String(product_id)}
      rowName={({ product_name }) => product_name}
      href={({ product_id }) =>
        mayWrite ? `/console/products/${product_id}` : `/console/keys?product_id=${product_id}`
      }
      bulk={mayWrite ? (rows) => <BulkActions products={rows} categories={categories} /> : undefined}
      empty={t("empty")}
      tools={
        <div className="flex flex-wrap items-end gap-2">
          {mayWrite && (
            <ConsoleLink href="/console/products/new" className="button button-primary">
              {t("new")}
            </ConsoleLink>
          )}
          {tools}
        </div>
      }
    />
  );
}
