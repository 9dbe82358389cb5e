"use client";

import { useTranslations } from "next-intl";
import { ConsoleLink } from "@/components/console/link";
import { columnsOf } from "@/components/console/list/columns";
import { StaffList } from "@/components/staff/staff-list";
import { LANGUAGE_NAMES } from "@/lib/platform/i18n/locales";
import type { StaffListData } from "@/lib/staff/lists/contract";
import type { ConsoleConversation, ConsoleConversationList } from "@/lib/support/console/contract";
import { CONVERSATION_STATES, type ConversationState } from "@/lib/support/rules";

const column = columnsOf<ConsoleConversation>();
const hrefOf = ({ conversation_id }: ConsoleConversation) => `/console/messages/${conversation_id}`;

/** The conversations of customers with support, for staff. */
export function ConsoleConversations(data: StaffListData<ConsoleConversationList>) {
  const t = useTranslations("console.messages");
  const part = CONVERSATION_STATES.find((name) => name === data.values.state) ?? "waiting";
  return (
    <StaffList
      {...data}
      declared={{
        title: t("title"),
        lead: t("lead"),
        empty: t(`empty.${part}`),
        rowId: ({ conversation_id }) => conversation_id,
        rowName: ({ email }) => email,
        href: hrefOf,
        texts: { main: "email", values: { state: (value) => t(`states.${value as ConversationState}`) } },
        views: CONVERSATION_STATES.map((state) => ({
          id: state,
          label: t(`states.${state}`),
          filters: state === "waiting" ? {} : { state },
        })),
        columns: [
          column.link("from", t("from"), (row) => ({ text: row.email, href: hrefOf(row) }), {
            main: true,
            width: 240,
          }),
          column.text("guest", t("account"), (row) => (row.customer_id === null ? t("guest") : null), {
            panel: true,
          }),
          column.text("subject", t("subject"), ({ order_number }) => order_number ?? t("general"), {
            width: 124,
          }),
          column.text("message", t("message"), ({ beginning }) => beginning, { card: "sub" }),
          part === "waiting"
            ? column.age("when", t("waiting"), (row) => row.waiting_since ?? row.last_at, { width: 104 })
            : column.time("when", t("last"), ({ last_at }) => last_at),
          column.text("language", t("language"), ({ locale }) => LANGUAGE_NAMES[locale], {
            width: 96,
            minor: true,
          }),
        ],
        tools: (
          <ConsoleLink href="/console/messages/answers" className="text-link">
            {t("answers")}
          </ConsoleLink>
        ),
      }}
    />
  );
}
