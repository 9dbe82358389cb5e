"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useMemo, useState } from "react";
import type { Column } from "@/components/console/data-table";
import type { Filter, FilterValues } from "@/components/console/filter-bar";
import { ConsoleLink } from "@/components/console/link";
import { ListScreen } from "@/components/console/list-screen";
import { Pill, type Tone } from "@/components/console/pill";
import { ShortTime } from "@/components/console/time";
import { useMailName } from "@/components/notifications/console/mail-name";
import { ActionDialog } from "@/components/staff/action-dialog";
import { Button } from "@/components/ui/button";
import type { ConsoleMail, ConsoleMailList } from "@/lib/notifications/console/contract";
import { isRepeatableMail } from "@/lib/notifications/console/rules";
import { MAIL_EVENTS, MAIL_STATES } from "@/lib/notifications/rules";

export const MAIL_TONES: Partial<Record<ConsoleMail["state"], Tone>> = {
  sent: "good",
  queued: "warn",
  failed: "bad",
};

type Props = { list: ConsoleMailList; values: FilterValues; tools: ReactNode; mayResend: boolean };

/** The outbox for staff: every email with its attempts and last error. */
export function ConsoleMails({ list, values, tools, mayResend }: Props) {
  const t = useTranslations("console.mails");
  const eventName = useTranslations("console.mail_events");
  const mailName = useMailName();
  const [chosen, setChosen] = useState<ConsoleMail>();
  const filters: Filter[] = [
    { name: "email", label: t("email"), kind: "text", first: true },
    { name: "order_number", label: t("order"), kind: "text", first: true },
    {
      name: "state",
      label: t("state"),
      kind: "choice",
      first: true,
      options: MAIL_STATES.map((value) => ({ value, label: t(`states.${value}`) })),
    },
    {
      name: "event",
      label: t("event"),
      kind: "choice",
      options: MAIL_EVENTS.map((value) => ({ value, label: eventName(value) })),
    },
    { name: "from", label: t("from"), kind: "date" },
    { name: "to", label: t("to"), kind: "date" },
  ];
  const columns = useMemo(
    (): Column<ConsoleMail>[] => [
      {
        id: "event",
        header: t("event"),
        main: true,
        oneLine: true,
        cell: mailName,
      },
      {
        id: "email",
        header: t("email"),
        cell: ({ to_address }) => (
          <ConsoleLink
            href={`/console/mails?email=${encodeURIComponent(to_address.toLowerCase())}`}
            className="text-link inline-block wrap-anywhere min-[900px]:min-w-48"
          >
            {to_address}
          </ConsoleLink>
        ),
      },
      {
        id: "order",
        header: t("order"),
        cell: ({ order_number }) =>
          order_number ? (
            <ConsoleLink href={`/console/orders/${order_number}`} className="text-link whitespace-nowrap">
              {order_number}
            </ConsoleLink>
          ) : (
            "–"
          ),
      },
      {
        id: "state",
        header: t("state"),
        cell: ({ state, last_error }) => (
          <>
            <Pill tone={MAIL_TONES[state]}>{t(`states.${state}`)}</Pill>
            {last_error && <span className="block text-13 text-quiet">{last_error}</span>}
          </>
        ),
      },
      ...(mayResend
        ? [
            {
              id: "actions",
              header: t("actions"),
              main: true,
              oneLine: true,
              cell: (mail: ConsoleMail) =>
                isRepeatableMail(mail) && <Button onClick={() => setChosen(mail)}>{t("again")}</Button>,
            },
          ]
        : []),
      { id: "attempts", header: t("attempts"), align: "end", cell: ({ attempts }) => attempts },
      { id: "created", header: t("created"), cell: ({ created_at }) => <ShortTime at={created_at} /> },
      {
        id: "sent",
        header: t("sent"),
        cell: ({ sent_at }) => (sent_at ? <ShortTime at={sent_at} /> : "–"),
      },
    ],
    [t, mailName, mayResend],
  );
  return (
    <>
      <ListScreen
        name="mails"
        title={t("title")}
        list={list}
        values={values}
        filters={filters}
        columns={columns}
        rowId={({ mail_id }) => mail_id}
        rowName={(mail) => `${mailName(mail)} ${mail.to_address}`}
        empty={t("empty")}
        tools={tools}
      />
      {chosen && (
        <ActionDialog
          open
          title={t("again_title", { name: mailName(chosen) })}
          confirm={t("again")}
          done={t("again_done")}
          path={`/admin/mails/${chosen.mail_id}/again`}
          onClose={() => setChosen(undefined)}
        />
      )}
    </>
  );
}
