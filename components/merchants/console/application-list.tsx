"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useMemo } from "react";
import type { Column } from "@/components/console/data-table";
import type { Filter, FilterValues } from "@/components/console/filter-bar";
import { ConsoleLink } from "@/components/console/link";
import { ListScreen } from "@/components/console/list-screen";
import { Pill, type Tone } from "@/components/console/pill";
import { ShortTime } from "@/components/console/time";
import type { ConsoleApplication, ConsoleApplicationList } from "@/lib/merchants/console/contract";
import { APPLICATION_STATES } from "@/lib/merchants/rules";

export const APPLICATION_TONES: Record<ConsoleApplication["state"], Tone> = {
  received: "warn",
  approved: "good",
  refused: "bad",
};

const PATH = "/console/applications";

type Props = { list: ConsoleApplicationList; values: FilterValues; tools: ReactNode };

/** The merchants' applications, with the decision about each. */
export function ConsoleApplications({ list, values, tools }: Props) {
  const t = useTranslations("console.applications");
  const filters: Filter[] = [
    { name: "email", label: t("email"), kind: "text", first: true },
    {
      name: "state",
      label: t("state"),
      kind: "choice",
      first: true,
      options: APPLICATION_STATES.map((value) => ({ value, label: t(`states.${value}`) })),
    },
    { name: "from", label: t("from"), kind: "date" },
    { name: "to", label: t("to"), kind: "date" },
  ];
  const columns = useMemo(
    (): Column<ConsoleApplication>[] => [
      {
        id: "email",
        header: t("email"),
        main: true,
        cell: ({ application_id, email }) => (
          <ConsoleLink href={`${PATH}/${application_id}`} className="text-link wrap-anywhere">
            {email}
          </ConsoleLink>
        ),
      },
      {
        id: "url",
        header: t("url"),
        cell: ({ product_url }) => (
          <a href={product_url} target="_blank" rel="noreferrer noopener" className="text-link">
            {product_url}
          </a>
        ),
      },
      { id: "phone", header: t("phone"), cell: ({ phone_num }) => phone_num },
      { id: "created", header: t("created"), cell: ({ created_at }) => <ShortTime at={created_at} /> },
      {
        id: "state",
        header: t("state"),
        cell: ({ state }) => <Pill tone={APPLICATION_TONES[state]}>{t(`states.${state}`)}</Pill>,
      },
      {
        id: "decided",
        header: t("decided"),
        cell: ({ decided_at, decided_by }) =>
          decided_at ? (
            <>
              <ShortTime at={decided_at} /> {decided_by}
            </>
          ) : (
            "–"
          ),
      },
      { id: "note", header: t("note"), cell: ({ note }) => note ?? "–" },
    ],
    [t],
  );
  return (
    <ListScreen
      name="applications"
      title={t("title")}
      list={list}
      values={values}
      filters={filters}
      columns={columns}
      rowId={({ application_id }) => application_id}
      rowName={({ email }) => email}
      href={({ application_id }) => `${PATH}/${application_id}`}
      empty={t("empty")}
      tools={tools}
    />
  );
}
