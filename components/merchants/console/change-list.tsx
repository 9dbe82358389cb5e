"use client";

import { useTranslations } from "next-intl";
import { useMemo } from "react";
import type { Column } from "@/components/console/data-table";
import type { Filter, FilterValues } from "@/components/console/filter-bar";
import { filterQuery } from "@/components/console/filter-query";
import { ConsoleLink } from "@/components/console/link";
import { ListScreen } from "@/components/console/list-screen";
import { Pill } from "@/components/console/pill";
import { StateTabs } from "@/components/console/state-tabs";
import { ShortTime } from "@/components/console/time";
import { CHANGE_TONES, RISK_TONES } from "@/components/merchants/changes/tones";
import type { ConsoleChange, ConsoleChangeList } from "@/lib/merchants/changes/contract-console";
import { DECIDED_STATES } from "@/lib/merchants/changes/rules";

const PATH = "/console/changes";

/** Merchants' changes: what waits, the oldest first. */
export function ConsoleChanges({ list, values }: { list: ConsoleChangeList; values: FilterValues }) {
  const t = useTranslations("console.changes");
  const current = values.state ?? DECIDED_STATES[0];
  const filters: Filter[] = [{ name: "merchant", label: t("merchant_handle"), kind: "text", first: true }];
  const columns = useMemo(
    (): Column<ConsoleChange>[] => [
      {
        id: "product",
        header: t("product"),
        main: true,
        cell: ({ change_id, product_name }) => (
          <ConsoleLink href={`${PATH}/${change_id}`} className="text-link wrap-anywhere">
            {product_name}
          </ConsoleLink>
        ),
      },
      {
        id: "merchant",
        header: t("merchant"),
        cell: ({ merchant, merchant_name }) => (
          <ConsoleLink href={`${PATH}?merchant=${encodeURIComponent(merchant)}`} className="text-link">
            {merchant_name}
          </ConsoleLink>
        ),
      },
      { id: "kind", header: t("kind"), cell: ({ kind }) => t(`kinds.${kind}`) },
      {
        id: "risk",
        header: t("risk"),
        cell: ({ risk }) => <Pill tone={RISK_TONES[risk]}>{t(`risks.${risk}`)}</Pill>,
      },
      {
        id: "proposed",
        header: t("proposed"),
        cell: ({ proposed_at }) => (proposed_at ? <ShortTime at={proposed_at} /> : "–"),
      },
      {
        id: "state",
        header: t("state"),
        cell: ({ state }) => <Pill tone={CHANGE_TONES[state]}>{t(`states.${state}`)}</Pill>,
      },
      {
        id: "decided",
        header: t("decided"),
        cell: ({ decided_at, decided_by, automatic }) =>
          automatic ? (
            t("automatic")
          ) : (
            <>
              {decided_at && <ShortTime at={decided_at} />} {decided_by ?? "–"}
            </>
          ),
      },
    ],
    [t],
  );
  return (
    <ListScreen
      name="changes"
      title={t("title")}
      list={list}
      values={values}
      filters={filters}
      columns={columns}
      rowId={({ change_id }) => change_id}
      rowName={({ product_name }) => product_name}
      href={({ change_id }) => `${PATH}/${change_id}`}
      empty={t("empty")}
      tools={
        <StateTabs
          label={t("state")}
          current={current}
          tabs={DECIDED_STATES.map((value) => ({
            value,
            label: t(`states.${value}`),
            href: PATH + filterQuery({ ...values, state: value }),
          }))}
        />
      }
    />
  );
}
