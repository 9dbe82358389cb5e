"use client";

import { useTranslations } from "next-intl";
import { useMemo } from "react";
import type { Column } from "@/components/console/data-table";
import type { Filter, FilterValues } from "@/components/console/filter-bar";
import { ConsoleLink } from "@/components/console/link";
import { ListScreen } from "@/components/console/list-screen";
import { Pill } from "@/components/console/pill";
import { ShortTime } from "@/components/console/time";
import { CHANGE_TONES } from "@/components/merchants/changes/tones";
import type { MerchantChange, MerchantChangeList } from "@/lib/merchants/changes/contract";
import { CHANGE_STATES } from "@/lib/merchants/rules";

type Props = { home: string; list: MerchantChangeList; values: FilterValues };

/** A merchant's changes of its products, with the shop's answers. */
export function MerchantChanges({ home, list, values }: Props) {
  const t = useTranslations("console.merchant_changes");
  const filters: Filter[] = [
    {
      name: "state",
      label: t("state"),
      kind: "choice",
      first: true,
      options: CHANGE_STATES.map((value) => ({ value, label: t(`states.${value}`) })),
    },
  ];
  const columns = useMemo((): Column<MerchantChange>[] => changeColumns(t, home), [t, home]);
  return (
    <ListScreen
      name="merchant-changes"
      path={`${home}/changes`}
      title={t("changes")}
      list={list}
      values={values}
      filters={filters}
      columns={columns}
      rowId={({ change_id }) => change_id}
      rowName={({ product_name }) => product_name}
      href={({ change_id }) => `${home}/changes/${change_id}`}
      empty={t("changes_empty")}
    />
  );
}

type Texts = ReturnType<typeof useTranslations<"console.merchant_changes">>;

const changeColumns = (t: Texts, home: string): Column<MerchantChange>[] => [
  {
    id: "product",
    header: t("product"),
    main: true,
    cell: ({ change_id, product_name }) => (
      <ConsoleLink href={`${home}/changes/${change_id}`} className="text-link wrap-anywhere">
        {product_name}
      </ConsoleLink>
    ),
  },
  { id: "kind", header: t("kind"), cell: ({ kind }) => t(`kinds.${kind}`) },
  {
    id: "state",
    header: t("state"),
    cell: ({ state }) => <Pill tone={CHANGE_TONES[state]}>{t(`states.${state}`)}</Pill>,
  },
  { id: "created", header: t("created"), cell: ({ created_at }) => <ShortTime at={created_at} /> },
  { id: "by", header: t("by"), cell: ({ by_shop, created_by }) => (by_shop ? t("by_shop") : created_by) },
  {
    id: "decided",
    header: t("decided"),
    cell: ({ decided_at, automatic }) => (
      <>
        {decided_at ? <ShortTime at={decided_at} /> : "–"} {automatic && t("automatic")}
      </>
    ),
  },
  { id: "note", header: t("note"), cell: ({ note }) => note ?? "–" },
];
