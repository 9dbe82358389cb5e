"use client";

import { useTranslations } from "next-intl";
import { useMemo } from "react";
import type { Column } from "@/components/console/data-table";
import type { FilterValues } from "@/components/console/filter-bar";
import { ConsoleLink } from "@/components/console/link";
import { ListScreen } from "@/components/console/list-screen";
import { Age, ShortTime } from "@/components/console/time";
import { LANGUAGE_NAMES } from "@/lib/platform/i18n/locales";
import type { ConsoleConversation, ConsoleConversationList } from "@/lib/support/console/contract";
import { CONVERSATION_STATES, type ConversationState } from "@/lib/support/rules";

type Props = { list: ConsoleConversationList; values: FilterValues; state: ConversationState };

/** What customers write to support, for staff. */
export function ConsoleConversations({ list, values, state }: Props) {
  const t = useTranslations("console.messages");
  const columns = useMemo(
    (): Column<ConsoleConversation>[] => [
      {
        id: "from",
        header: t("from"),
        main: true,
        cell: ({ conversation_id, email, customer_id }) => (
          <>
            <ConsoleLink href={`/console/messages/${conversation_id}`} className="text-link wrap-anywhere">
              {email}
            </ConsoleLink>
            {customer_id === null && <span className="block text-13 text-quiet">{t("guest")}</span>}
          </>
        ),
      },
      {
        id: "subject",
        header: t("subject"),
        oneLine: true,
        cell: ({ order_number }) => order_number ?? t("general"),
      },
      {
        id: "message",
        header: t("message"),
        cell: ({ beginning }) => <span className="line-clamp-2 wrap-anywhere">{beginning}</span>,
      },
      {
        id: "when",
        header: t(state === "waiting" ? "waiting" : "last"),
        cell: ({ waiting_since, last_at }) =>
          waiting_since ? <Age at={waiting_since} /> : <ShortTime at={last_at} />,
      },
      { id: "language", header: t("language"), cell: ({ locale }) => LANGUAGE_NAMES[locale] },
    ],
    [t, state],
  );
  return (
    <ListScreen
      name="messages"
      title={t("title")}
      lead={t("lead")}
      tools={
        <ConsoleLink href="/console/messages/answers" className="text-link inline-flex min-h-11 items-center">
          {t("answers")}
        </ConsoleLink>
      }
      list={list}
      values={values}
      filters={[
        {
          name: "state",
          label: t("state"),
          kind: "choice",
          first: true,
          anyLabel: t("states.waiting"),
          options: CONVERSATION_STATES.filter((value) => value !== "waiting").map((value) => ({
            value,
            label: t(`states.${value}`),
          })),
        },
        { name: "email", label: t("email"), kind: "text", first: true },
      ]}
      tabs={["state"]}
      columns={columns}
      rowId={({ conversation_id }) => conversation_id}
      rowName={({ email }) => email}
      href={({ conversation_id }) => `/console/messages/${conversation_id}`}
      empty={t(`empty.${state}`)}
    />
  );
}
