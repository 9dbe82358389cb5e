"use client";

import { useTranslations } from "next-intl";
import { columnsOf } from "@/components/console/list/columns";
import type { Tone } from "@/components/console/pill";
import { StaffList } from "@/components/staff/staff-list";
import type { ConsoleApplication, ConsoleApplicationList } from "@/lib/merchants/console/contract";
import { APPLICATION_STATES } from "@/lib/merchants/rules";
import type { StaffListData } from "@/lib/staff/lists/contract";

type State = ConsoleApplication["state"];
export const APPLICATION_TONES: Record<State, Tone> = { received: "warn", approved: "good", refused: "bad" };

const column = columnsOf<ConsoleApplication>();
const hrefOf = ({ application_id }: ConsoleApplication) => `/console/applications/${application_id}`;

/** The merchants' applications, with the decision about each. */
export function ConsoleApplications(data: StaffListData<ConsoleApplicationList>) {
  const t = useTranslations("console.applications");
  return (
    <StaffList
      {...data}
      declared={{
        title: t("title"),
        empty: t("empty"),
        rowId: ({ application_id }) => application_id,
        rowName: ({ email }) => email,
        href: hrefOf,
        texts: { main: "email", values: { state: (value) => t(`states.${value as State}`) } },
        views: [
          { id: "all", label: t("all"), filters: {} },
          ...APPLICATION_STATES.map((state) => ({
            id: state,
            label: t(`states.${state}`),
            filters: { state },
          })),
        ],
        columns: [
          column.link("email", t("email"), (row) => ({ text: row.email, href: hrefOf(row) }), { main: true }),
          column.cell(
            "url",
            t("url"),
            ({ product_url }) => (
              <a
                href={product_url}
                target="_blank"
                rel="noreferrer noopener"
                className="text-link block truncate leading-6"
              >
                {product_url}
              </a>
            ),
            { card: "sub" },
          ),
          column.text("phone", t("phone"), ({ phone_num }) => phone_num, { width: 130, minor: true }),
          column.time("created", t("created"), ({ created_at }) => created_at),
          column.state(
            "state",
            t("state"),
            ({ state }) => ({ text: t(`states.${state}`), tone: APPLICATION_TONES[state] }),
            { width: 104 },
          ),
          column.time("decided", t("decided"), ({ decided_at }) => decided_at),
          column.text("decided_by", t("decided_by"), ({ decided_by }) => decided_by, { minor: true }),
          column.longText("note", t("note"), ({ note }) => note),
        ],
      }}
    />
  );
}
