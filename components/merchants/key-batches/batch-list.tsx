"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { ImportPill } from "@/components/console/import-parts";
import { type Column, columnsOf } from "@/components/console/list/columns";
import { type ListData, type ListDeclaration, ListScreen } from "@/components/console/list/list-screen";
import { KeysTabs } from "@/components/merchants/keys/keys-tabs";
import { StaffList } from "@/components/staff/staff-list";
import type { ConsoleBatchItem, ConsoleBatchList, KeyBatchItem } from "@/lib/merchants/key-files/contract";
import type { KeyBatchState } from "@/lib/merchants/key-files/rules";
import type { StaffListData } from "@/lib/staff/lists/contract";

const COUNTED = 100;

/** The shared part of the batch lists of staff and merchants. */
function useBatches<Item extends KeyBatchItem>(
  path: string,
  more: readonly Column<Item>[],
): Omit<ListDeclaration<Item>, "empty"> {
  const t = useTranslations("console.key_batches");
  const imports = useTranslations("console.imports");
  const column = columnsOf<Item>();
  const hrefOf = ({ batch_id }: Item) => `${path}/${batch_id}`;
  return {
    title: t("title"),
    lead: t("lead"),
    rowId: ({ batch_id }) => batch_id,
    rowName: ({ name }) => name,
    href: hrefOf,
    columns: [
      column.link("name", t("file"), (row) => ({ text: row.name, href: hrefOf(row) }), { main: true }),
      ...more,
      column.cell("state", imports("state_name"), ({ state }) => <ImportPill state={state} />, {
        width: 130,
        card: "mark",
      }),
      column.text("source", t("source_name"), ({ source }) => t(`source.${source}`), { minor: true }),
      column.count("new", imports("added"), ({ counts }) => counts.new, { card: "end" }),
      column.count("refused", imports("refused"), ({ counts }) => counts.refused),
      column.count("available", t("available"), ({ available }) => available, { limit: COUNTED }),
      column.text("by", imports("started_by"), ({ by }) => by, { card: "sub" }),
      column.time("at", imports("started_at"), ({ started_at }) => started_at),
    ],
  };
}

/** The batches of a merchant. */
export function BatchList({ handle, ...data }: ListData<KeyBatchItem> & { handle: string }) {
  const t = useTranslations("console.key_batches");
  const declared = useBatches<KeyBatchItem>(data.path, []);
  return (
    <ListScreen
      {...data}
      {...declared}
      empty={t("empty")}
      tools={<KeysTabs handle={handle} current="batches" />}
    />
  );
}

/** The batches of all merchants, for staff. */
export function ConsoleBatchListScreen({
  tabs,
  ...data
}: StaffListData<ConsoleBatchList> & { tabs: ReactNode }) {
  const t = useTranslations("console.key_batches");
  const imports = useTranslations("console.imports");
  const column = columnsOf<ConsoleBatchItem>();
  const declared = useBatches<ConsoleBatchItem>(data.path, [
    column.text("merchant", t("merchant"), ({ merchant }) => merchant),
  ]);
  return (
    <StaffList
      {...data}
      declared={{
        ...declared,
        empty: t("empty_all"),
        texts: { main: "merchant", values: { state: (value) => imports(`state.${value as KeyBatchState}`) } },
        tools: tabs,
      }}
    />
  );
}
