"use client";

import { useTranslations } from "next-intl";
import { useMemo } from "react";
import type { Column } from "@/components/console/data-table";
import type { Filter, FilterValues } from "@/components/console/filter-bar";
import { ConsoleLink } from "@/components/console/link";
import { ListScreen } from "@/components/console/list-screen";
import { Pill } from "@/components/console/pill";
import { ShortTime } from "@/components/console/time";
import { MERCHANT_TONES } from "@/components/merchants/console/merchant-tones";
import { useSurface } from "@/components/ui/surface";
import type { ConsoleMerchant, ConsoleMerchantList } from "@/lib/merchants/console/contract-merchants";
import { MERCHANT_STATES } from "@/lib/merchants/rules";

const PATH = "/console/merchants";
/** A part of a whole; none: nothing was sold. */
export const percentText = (share: number | null, locale: string): string =>
  share === null ? "–" : share.toLocaleString(locale, { style: "percent", maximumFractionDigits: 1 });
const more = (count: number, exact: boolean) => (exact ? String(count) : `${count}+`);

/** The merchants, the newest first or by name. */
export function ConsoleMerchants({ list, values }: { list: ConsoleMerchantList; values: FilterValues }) {
  const t = useTranslations("console.merchants");
  const stateName = useTranslations("console.merchant.state");
  const { locale } = useSurface();
  const filters: Filter[] = [
    { name: "name", label: t("name"), kind: "text", first: true },
    {
      name: "state",
      label: t("state"),
      kind: "choice",
      first: true,
      options: MERCHANT_STATES.map((value) => ({ value, label: stateName(value) })),
    },
  ];
  const columns = useMemo(
    (): Column<ConsoleMerchant>[] => [
      {
        id: "name",
        header: t("name"),
        main: true,
        cell: ({ merchant_id, name, handle }) => (
          <>
            <ConsoleLink href={`${PATH}/${merchant_id}`} className="text-link wrap-anywhere">
              {name}
            </ConsoleLink>
            <span className="block text-13 text-quiet">{handle}</span>
          </>
        ),
      },
      {
        id: "state",
        header: t("state"),
        cell: ({ state, trust, renamed, discounts }) => (
          <span className="flex flex-wrap gap-1.5">
            <Pill tone={MERCHANT_TONES[state]}>{stateName(state)}</Pill>
            {trust === "trusted" && <Pill tone="good">{t("trusted")}</Pill>}
            {renamed && <Pill tone="warn">{t("name_asked")}</Pill>}
            {discounts?.high_since && !discounts.looked_at && <Pill tone="warn">{t("high_discounts")}</Pill>}
          </span>
        ),
      },
      {
        id: "members",
        header: t("members"),
        cell: ({ members }) => (members === 0 ? t("by_staff") : <span className="figures">{members}</span>),
      },
      {
        id: "products",
        header: t("products"),
        cell: ({ products, products_exact }) => (
          <span className="figures">{more(products, products_exact)}</span>
        ),
      },
      {
        id: "sales",
        header: t("sales_30"),
        cell: ({ sales, sales_exact }) => <span className="figures">{more(sales, sales_exact)}</span>,
      },
      {
        id: "discounts",
        header: t("shop_paid_share"),
        cell: ({ discounts }) => (
          <span className="figures">{percentText(discounts?.share ?? null, locale)}</span>
        ),
      },
      { id: "created", header: t("created"), cell: ({ created_at }) => <ShortTime at={created_at} /> },
    ],
    [t, stateName, locale],
  );
  return (
    <ListScreen
      name="merchants"
      title={t("title")}
      list={list}
      values={values}
      filters={filters}
      columns={columns}
      rowId={({ merchant_id }) => merchant_id}
      rowName={({ name }) => name}
      href={({ merchant_id }) => `${PATH}/${merchant_id}`}
      empty={t("empty")}
    />
  );
}
