"use client";

import { useTranslations } from "next-intl";
import { columnsOf } from "@/components/console/list/columns";
import type { Tone } from "@/components/console/pill";
import { StaffList } from "@/components/staff/staff-list";
import type { ConsoleCustomer, ConsoleCustomerList } from "@/lib/accounts/console/contract";
import type { StaffListData } from "@/lib/staff/lists/contract";

type State = ConsoleCustomer["state"];
export const CUSTOMER_TONES: Partial<Record<State, Tone>> = { verified: "good", unverified: "warn" };

const column = columnsOf<ConsoleCustomer>();
const hrefOf = ({ customer_id }: ConsoleCustomer) => `/console/customers/${customer_id}`;
/** Orders are counted to some; more than that is "20+". */
const isMore = ({ orders_exact }: ConsoleCustomer) => !orders_exact;

/** The list of customers for staff. */
export function ConsoleCustomers(data: StaffListData<ConsoleCustomerList>) {
  const t = useTranslations("console.customers");
  return (
    <StaffList
      {...data}
      declared={{
        title: t("title"),
        empty: t("empty"),
        rowId: ({ customer_id }) => customer_id,
        rowName: ({ email }) => email,
        href: hrefOf,
        texts: { main: "email", values: { state: (value) => t(`states.${value as State}`) } },
        views: [
          { id: "all", label: t("views.all"), filters: {} },
          { id: "unverified", label: t("states.unverified"), filters: { state: "unverified" } },
          { id: "new", label: t("views.week"), filters: { days: "last_7_days" } },
        ],
        columns: [
          column.link("email", t("email"), (row) => ({ text: row.email, href: hrefOf(row) }), { main: true }),
          column.text("name", t("name"), ({ username }) => username, { card: "sub" }),
          column.state("state", t("state"), ({ state }) => ({
            text: t(`states.${state}`),
            tone: CUSTOMER_TONES[state],
          })),
          column.time("since", t("since"), ({ since }) => since),
          column.count("orders", t("orders"), ({ orders }) => orders, { exact: (row) => !isMore(row) }),
          column.money("spent", t("spent"), ({ spent }) => spent, { more: isMore }),
          column.money("refunded", t("refunded"), (row) => row.refunded || null, {
            more: isMore,
            width: 104,
          }),
        ],
      }}
    />
  );
}
