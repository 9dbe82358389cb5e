"use client";

import { useTranslations } from "next-intl";
import { ImportPill } from "@/components/console/import-parts";
import { columnsOf } from "@/components/console/list/columns";
import { StaffList } from "@/components/staff/staff-list";
import type { ImportRunItem, ImportRunList } from "@/lib/staff/imports/contract";
import type { ImportKind } from "@/lib/staff/imports/rules";
import type { StaffListData } from "@/lib/staff/lists/contract";
import { ImportFlow } from "./import-flow";

const column = columnsOf<ImportRunItem>();
const hrefOf = ({ import_id }: ImportRunItem) => `/console/imports/${import_id}`;

/** A new import, and those that ran before. */
export function ImportsScreen({
  kinds,
  ...data
}: StaffListData<ImportRunList> & { kinds: readonly ImportKind[] }) {
  const t = useTranslations("console.imports");
  return (
    <StaffList
      {...data}
      declared={{
        title: t("title"),
        lead: t("lead"),
        empty: t("empty"),
        rowId: ({ import_id }) => import_id,
        rowName: ({ name }) => name,
        href: hrefOf,
        texts: { values: { kind: (value) => t(`kinds.${value as ImportKind}`) } },
        summary: (
          <>
            <section aria-label={t("new")} className="max-w-4xl pt-4 pb-10">
              <h2 className="pb-3 text-17 font-semibold">{t("new")}</h2>
              <ImportFlow
                kinds={kinds}
                first={kinds.find((kind) => kind === data.values.kind) ?? kinds[0] ?? "keys"}
              />
            </section>
            <h2 className="text-17 font-semibold">{t("history")}</h2>
          </>
        ),
        columns: [
          column.link("name", t("file"), (row) => ({ text: row.name, href: hrefOf(row) }), { main: true }),
          column.text("kind", t("kind"), ({ kind }) => t(`kinds.${kind}`), { width: 140, card: "sub" }),
          column.cell("state", t("state_name"), ({ state }) => <ImportPill state={state} />, {
            width: 120,
            card: "mark",
          }),
          column.count("written", t("written"), ({ counts }) => counts.added + counts.changed, {
            card: "end",
          }),
          column.count("refused", t("refused"), ({ counts }) => counts.refused),
          column.text("by", t("started_by"), ({ started_by }) => started_by, { minor: true }),
          column.time("at", t("started_at"), ({ started_at }) => started_at),
        ],
      }}
    />
  );
}
