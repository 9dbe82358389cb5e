"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useMemo } from "react";
import type { Column } from "@/components/console/data-table";
import type { Filter, FilterValues } from "@/components/console/filter-bar";
import { ImportPill } from "@/components/console/import-parts";
import { ConsoleLink } from "@/components/console/link";
import { ListScreen } from "@/components/console/list-screen";
import { ShortTime } from "@/components/console/time";
import { useSurface } from "@/components/ui/surface";
import type { ConsoleBatchItem, ConsoleBatchList, KeyBatchItem } from "@/lib/merchants/key-files/contract";
import { KEY_BATCH_STATES } from "@/lib/merchants/key-files/rules";
import type { ListPage } from "@/lib/platform/console/list";

const COUNTED = 100;

function useBatchColumns<Item extends KeyBatchItem>(path: string): Column<Item>[] {
  const t = useTranslations("console.key_batches");
  const imports = useTranslations("console.imports");
  const { locale } = useSurface();
  return useMemo(
    () => [
      {
        id: "name",
        header: t("file"),
        main: true,
        cell: ({ batch_id, name }) => (
          <ConsoleLink href={`${path}/${batch_id}`} className="text-link wrap-anywhere">
            {name}
          </ConsoleLink>
        ),
      },
      {
        id: "state",
        header: imports("state_name"),
        cell: ({ state }) => <ImportPill state={state} />,
      },
      { id: "source", header: t("source_name"), cell: ({ source }) => t(`source.${source}`) },
      {
        id: "new",
        header: imports("added"),
        align: "end",
        cell: ({ counts }) => counts.new.toLocaleString(locale),
      },
      {
        id: "refused",
        header: imports("refused"),
        align: "end",
        cell: ({ counts }) => counts.refused.toLocaleString(locale),
      },
      {
        id: "available",
        header: t("available"),
        align: "end",
        cell: ({ available }) => (available >= COUNTED ? `${COUNTED}+` : available),
      },
      { id: "by", header: imports("started_by"), cell: ({ by }) => by },
      {
        id: "at",
        header: imports("started_at"),
        oneLine: true,
        cell: ({ started_at }) => <ShortTime at={started_at} />,
      },
    ],
    [t, imports, locale, path],
  );
}

type Props<Item> = { list: ListPage<Item>; values: FilterValues; tools: ReactNode };

/** The batches of a merchant. */
export function BatchList({ path, list, values, tools }: Props<KeyBatchItem> & { path: string }) {
  const t = useTranslations("console.key_batches");
  const columns = useBatchColumns<KeyBatchItem>(path);
  return (
    <ListScreen
      name="key-batches"
      path={path}
      title={t("title")}
      lead={t("lead")}
      list={list}
      values={values}
      filters={[]}
      columns={columns}
      rowId={({ batch_id }) => batch_id}
      rowName={({ name }) => name}
      href={({ batch_id }) => `${path}/${batch_id}`}
      empty={t("empty")}
      tools={tools}
    />
  );
}

const CONSOLE_PATH = "/console/keys/batches";

/** The batches of all merchants, for staff. */
export function ConsoleBatchListScreen({
  list,
  values,
  tools,
}: {
  list: ConsoleBatchList;
  values: FilterValues;
  tools: ReactNode;
}) {
  const t = useTranslations("console.key_batches");
  const imports = useTranslations("console.imports");
  const [name, ...others] = useBatchColumns<ConsoleBatchItem>(CONSOLE_PATH);
  const columns: Column<ConsoleBatchItem>[] = [
    name!,
    { id: "merchant", header: t("merchant"), cell: ({ merchant }) => merchant },
    ...others,
  ];
  const filters: Filter[] = [
    { name: "merchant", label: t("merchant_handle"), kind: "text", first: true },
    {
      name: "state",
      label: imports("state_name"),
      kind: "choice",
      first: true,
      options: KEY_BATCH_STATES.map((value) => ({ value, label: imports(`state.${value}`) })),
    },
  ];
  return (
    <ListScreen
      name="keys/batches"
      title={t("title")}
      lead={t("lead")}
      list={list}
      values={values}
      filters={filters}
      columns={columns}
      rowId={({ batch_id }) => batch_id}
      rowName={({ name }) => name}
      href={({ batch_id }) => `${CONSOLE_PATH}/${batch_id}`}
      empty={t("empty_all")}
      tools={tools}
    />
  );
}
