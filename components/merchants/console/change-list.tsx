"use client";

import { useTranslations } from "next-intl";
import { columnsOf } from "@/components/console/list/columns";
import { CHANGE_TONES, RISK_TONES } from "@/components/merchants/changes/tones";
import { StaffList } from "@/components/staff/staff-list";
import type { ConsoleChange, ConsoleChangeList } from "@/lib/merchants/changes/contract-console";
import { DECIDED_STATES } from "@/lib/merchants/changes/rules";
import type { StaffListData } from "@/lib/staff/lists/contract";

const PATH = "/console/changes";
const column = columnsOf<ConsoleChange>();
const hrefOf = ({ change_id }: ConsoleChange) => `${PATH}/${change_id}`;

/** Merchants' changes: what waits, the oldest first. */
export function ConsoleChanges(data: StaffListData<ConsoleChangeList>) {
  const t = useTranslations("console.changes");
  const stateName = (state: string) => t(`states.${state as (typeof DECIDED_STATES)[number]}`);
  return (
    <StaffList
      {...data}
      declared={{
        title: t("title"),
        empty: t("empty"),
        rowId: ({ change_id }) => change_id,
        rowName: ({ product_name }) => product_name,
        href: hrefOf,
        texts: { main: "merchant", values: { state: stateName } },
        views: DECIDED_STATES.map((state, i) => ({
          id: state,
          label: stateName(state),
          filters: i === 0 ? {} : { state },
        })),
        columns: [
          column.link("product", t("product"), (row) => ({ text: row.product_name, href: hrefOf(row) }), {
            main: true,
          }),
          column.link("merchant", t("merchant"), ({ merchant, merchant_name }) => ({
            text: merchant_name,
            href: `${PATH}?merchant=${encodeURIComponent(merchant)}`,
          })),
          column.text("kind", t("kind"), ({ kind }) => t(`kinds.${kind}`), { width: 120 }),
          column.state(
            "risk",
            t("risk"),
            ({ risk }) => ({ text: t(`risks.${risk}`), tone: RISK_TONES[risk] }),
            {
              width: 90,
            },
          ),
          column.time("proposed", t("proposed"), ({ proposed_at }) => proposed_at),
          column.state(
            "state",
            t("state"),
            ({ state }) => ({ text: stateName(state), tone: CHANGE_TONES[state] }),
            { width: 110 },
          ),
          column.time("decided", t("decided"), ({ decided_at }) => decided_at),
          column.text(
            "by",
            t("decided_by"),
            ({ automatic, decided_by }) => (automatic ? t("automatic") : decided_by),
            { minor: true },
          ),
        ],
      }}
    />
  );
}
