"use client";

import { useTranslations } from "next-intl";
import { columnsOf } from "@/components/console/list/columns";
import { type ListData, ListScreen } from "@/components/console/list/list-screen";
import { CHANGE_TONES } from "@/components/merchants/changes/tones";
import type { MerchantChange } from "@/lib/merchants/changes/contract";
import type { CHANGE_STATES } from "@/lib/merchants/rules";

const column = columnsOf<MerchantChange>();

/** A merchant's changes of its products, with the shop's answers. */
export function MerchantChanges(data: ListData<MerchantChange>) {
  const t = useTranslations("console.merchant_changes");
  const stateName = (state: string) => t(`states.${state as (typeof CHANGE_STATES)[number]}`);
  const hrefOf = ({ change_id }: MerchantChange) => `${data.path}/${change_id}`;
  return (
    <ListScreen
      {...data}
      title={t("changes")}
      empty={t("changes_empty")}
      rowId={({ change_id }) => change_id}
      rowName={({ product_name }) => product_name}
      href={hrefOf}
      texts={{ values: { state: stateName } }}
      views={[
        { id: "all", label: t("all"), filters: {} },
        ...(["draft", "proposed", "returned"] as const).map((state) => ({
          id: state,
          label: stateName(state),
          filters: { state },
        })),
      ]}
      columns={[
        column.link("product", t("product"), (row) => ({ text: row.product_name, href: hrefOf(row) }), {
          main: true,
        }),
        column.text("kind", t("kind"), ({ kind }) => t(`kinds.${kind}`), { width: 120, card: "sub" }),
        column.state(
          "state",
          t("state"),
          ({ state }) => ({ text: stateName(state), tone: CHANGE_TONES[state] }),
          { width: 120 },
        ),
        column.time("created", t("created"), ({ created_at }) => created_at),
        column.text("by", t("by"), ({ by_shop, created_by }) => (by_shop ? t("by_shop") : created_by), {
          minor: true,
        }),
        column.time("decided", t("decided"), ({ decided_at }) => decided_at),
        column.text("automatic", t("decided_how"), ({ automatic }) => (automatic && t("automatic")) || null, {
          panel: true,
        }),
        column.text("note", t("note"), ({ note }) => note),
      ]}
    />
  );
}
