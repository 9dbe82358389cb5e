"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useMemo } from "react";
import type { Column } from "@/components/console/data-table";
import type { Filter, FilterValues } from "@/components/console/filter-bar";
import { ConsoleLink } from "@/components/console/link";
import { ListScreen } from "@/components/console/list-screen";
import { Pill, type Tone } from "@/components/console/pill";
import { ShortTime } from "@/components/console/time";
import { useSurface } from "@/components/ui/surface";
import type { ConsoleCustomer, ConsoleCustomerList } from "@/lib/accounts/console/contract";
import { CUSTOMER_STATES } from "@/lib/accounts/console/rules";
import { formatPrice, toCents } from "@/lib/platform/money";

export const CUSTOMER_TONES: Partial<Record<ConsoleCustomer["state"], Tone>> = {
  verified: "good",
  unverified: "warn",
};

type Props = { list: ConsoleCustomerList; values: FilterValues; tools: ReactNode };

/** The list of customers for staff. */
export function ConsoleCustomers({ list, values, tools }: Props) {
  const t = useTranslations("console.customers");
  const { locale } = useSurface();
  const filters: Filter[] = [
    { name: "email", label: t("email_begins"), kind: "text", first: true },
    { name: "name", label: t("name_begins"), kind: "text", first: true },
    {
      name: "state",
      label: t("state"),
      kind: "choice",
      first: true,
      options: CUSTOMER_STATES.map((value) => ({ value, label: t(`states.${value}`) })),
    },
    { name: "from", label: t("from"), kind: "date" },
    { name: "to", label: t("to"), kind: "date" },
  ];
  const columns = useMemo((): Column<ConsoleCustomer>[] => {
    // Orders are counted to some; more than that is "20+".
    const more = (text: string, { orders_exact }: ConsoleCustomer) => (orders_exact ? text : `${text}+`);
    return [
      {
        id: "email",
        header: t("email"),
        main: true,
        cell: ({ customer_id, email }) => (
          <ConsoleLink href={`/console/customers/${customer_id}`} className="text-link">
            {email}
          </ConsoleLink>
        ),
      },
      { id: "name", header: t("name"), cell: ({ username }) => username },
      {
        id: "state",
        header: t("state"),
        cell: ({ state }) => <Pill tone={CUSTOMER_TONES[state]}>{t(`states.${state}`)}</Pill>,
      },
      { id: "since", header: t("since"), cell: ({ since }) => <ShortTime at={since} /> },
      { id: "orders", header: t("orders"), align: "end", cell: (row) => more(String(row.orders), row) },
      {
        id: "spent",
        header: t("spent"),
        align: "end",
        cell: (row) => more(formatPrice(toCents(row.spent), locale), row),
      },
      {
        id: "refunded",
        header: t("refunded"),
        align: "end",
        cell: (row) => (row.refunded === 0 ? "–" : more(formatPrice(toCents(row.refunded), locale), row)),
      },
    ];
  }, [t, locale]);
  return (
    <ListScreen
      name="customers"
      title={t("title")}
      list={list}
      values={values}
      filters={filters}
      columns={columns}
      rowId={({ customer_id }) => customer_id}
      rowName={({ email }) => email}
      href={({ customer_id }) => `/console/customers/${customer_id}`}
      empty={t("empty")}
      tools={tools}
    />
  );
}
