"use client";

import { useTranslations } from "next-intl";
import { useMemo } from "react";
import type { Column } from "@/components/console/data-table";
import type { Filter, FilterValues } from "@/components/console/filter-bar";
import { ConsoleLink } from "@/components/console/link";
import { ListScreen } from "@/components/console/list-screen";
import { Pill, type Tone } from "@/components/console/pill";
import { ShortTime } from "@/components/console/time";
import { CHANGE_TONES } from "@/components/merchants/changes/tones";
import type { Option } from "@/components/ui/select";
import { useSurface } from "@/components/ui/surface";
import type { MerchantProductList, MerchantProductRow } from "@/lib/merchants/changes/contract";
import { formatPrice, toCents } from "@/lib/platform/money";

export const PRODUCT_TONES: Record<MerchantProductRow["state"], Tone> = {
  sold: "good",
  unlisted: "plain",
  blocked: "bad",
};

type Props = {
  /** the merchant's console: `/merchant/{handle}` */
  home: string;
  list: MerchantProductList;
  values: FilterValues;
  categories: readonly Option[];
  mayWrite: boolean;
};

/** A merchant's products. */
export function MerchantProducts({ home, list, values, categories, mayWrite }: Props) {
  const t = useTranslations("console.merchant_changes");
  const { locale } = useSurface();
  const yes = [{ value: "true", label: t("yes") }];
  const filters: Filter[] = [
    { name: "name", label: t("name"), kind: "text", first: true },
    { name: "category", label: t("category"), kind: "choice", first: true, options: categories },
    { name: "untranslated", label: t("untranslated"), kind: "choice", options: yes },
    { name: "no_stock", label: t("no_stock"), kind: "choice", options: yes },
  ];
  const columns = useMemo(
    (): Column<MerchantProductRow>[] => [
      {
        id: "name",
        header: t("name"),
        main: true,
        cell: ({ product_id, product_name }) => (
          <ConsoleLink href={`${home}/products/${product_id}`} className="text-link wrap-anywhere">
            {product_name}
          </ConsoleLink>
        ),
      },
      {
        id: "state",
        header: t("state"),
        cell: ({ state, untranslated, shop_change }) => (
          <span className="flex flex-wrap gap-1.5">
            <Pill tone={PRODUCT_TONES[state]}>{t(`product_states.${state}`)}</Pill>
            {shop_change && (
              <ConsoleLink href={`${home}/changes/${shop_change.change_id}`} className="text-link">
                <Pill tone="warn">{t("shop_mark")}</Pill>
              </ConsoleLink>
            )}
            {untranslated.length > 0 && (
              <Pill tone="warn">{t("lacks", { languages: untranslated.join(", ") })}</Pill>
            )}
          </span>
        ),
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
        cell: ({ stock, stock_exact }) => t("codes", { count: stock, more: stock_exact ? "no" : "yes" }),
      },
      {
        id: "change",
        header: t("open_change"),
        cell: ({ open_change }) =>
          open_change ? (
            <ConsoleLink href={`${home}/changes/${open_change.change_id}`} className="text-link">
              <Pill tone={CHANGE_TONES[open_change.state]}>{t(`states.${open_change.state}`)}</Pill>
            </ConsoleLink>
          ) : (
            "–"
          ),
      },
      { id: "updated", header: t("changed"), cell: ({ updated_at }) => <ShortTime at={updated_at} /> },
    ],
    [t, locale, home],
  );
  return (
    <ListScreen
      name="merchant-products"
      path={`${home}/products`}
      title={t("products")}
      lead={t("products_lead")}
      list={list}
      values={values}
      filters={filters}
      columns={columns}
      rowId={({ product_id }) => String(product_id)}
      rowName={({ product_name }) => product_name}
      href={({ product_id }) => `${home}/products/${product_id}`}
      empty={t("products_empty")}
      tools={
        mayWrite && (
          <ConsoleLink href={`${home}/products/new`} className="button button-primary">
            {t("new")}
          </ConsoleLink>
        )
      }
    />
  );
}
