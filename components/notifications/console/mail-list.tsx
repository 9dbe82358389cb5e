"use client";

import { useTranslations } from "next-intl";
import { columnsOf } from "@/components/console/list/columns";
import type { Tone } from "@/components/console/pill";
import { ReasonArea } from "@/components/console/reason-area";
import { useMailError, useMailName } from "@/components/notifications/console/mail-name";
import { ActionDialog } from "@/components/staff/action-dialog";
import { StaffList } from "@/components/staff/staff-list";
import type { ConsoleMail, ConsoleMailList } from "@/lib/notifications/console/contract";
import { isRepeatableMail } from "@/lib/notifications/console/rules";
import type { MAIL_EVENTS } from "@/lib/notifications/rules";
import { mayStaff } from "@/lib/platform/auth/permissions";
import type { StaffListData } from "@/lib/staff/lists/contract";

type State = ConsoleMail["state"];
export const MAIL_TONES: Partial<Record<State, Tone>> = { sent: "good", queued: "warn", failed: "bad" };

const column = columnsOf<ConsoleMail>();

/** The outbox for staff: every email with its attempts and last error. */
export function ConsoleMails(data: StaffListData<ConsoleMailList>) {
  const t = useTranslations("console.mails");
  const eventName = useTranslations("console.mail_events");
  const mailName = useMailName();
  const mailError = useMailError();
  return (
    <StaffList
      {...data}
      declared={{
        title: t("title"),
        empty: t("empty"),
        rowId: ({ mail_id }) => mail_id,
        rowName: (mail) => `${mailName(mail)} ${mail.to_address}`,
        texts: {
          main: "email",
          values: {
            state: (value) => t(`states.${value as State}`),
            event: (value) => eventName(value as (typeof MAIL_EVENTS)[number]),
          },
        },
        views: [
          { id: "all", label: t("all"), filters: {} },
          ...(["failed", "queued"] as const).map((state) => ({
            id: state,
            label: t(`states.${state}`),
            filters: { state },
          })),
        ],
        columns: [
          column.text("event", t("event"), mailName, { main: true }),
          column.link(
            "email",
            t("email"),
            ({ to_address }) => ({
              text: to_address,
              href: `/console/mails?email=${encodeURIComponent(to_address.toLowerCase())}`,
            }),
            { card: "sub" },
          ),
          column.order(t("order"), ({ order_number }) => order_number),
          column.state(
            "state",
            t("state"),
            ({ state }) => ({ text: t(`states.${state}`), tone: MAIL_TONES[state] }),
            { width: 104 },
          ),
          column.text("error", t("error"), mailError, { width: 150 }),
          column.count("attempts", t("attempts"), ({ attempts }) => attempts, { minor: true }),
          column.time("created", t("created"), ({ created_at }) => created_at),
          column.time("sent", t("sent"), ({ sent_at }) => sent_at, { minor: true }),
        ],
        actions: mayStaff(data.roles, "mails.resend")
          ? [
              {
                id: "again",
                label: t("again"),
                when: isRepeatableMail,
                dialog: (mail, onClose) => (
                  <ActionDialog
                    open
                    title={t("again_title", { name: mailName(mail) })}
                    confirm={t("again")}
                    done={t("again_done")}
                    path={`/admin/mails/${mail.mail_id}/again`}
                    onClose={onClose}
                  />
                ),
              },
              {
                id: "dismiss",
                label: t("dismiss"),
                when: ({ state }) => state === "failed",
                dialog: (mail, onClose) => (
                  <ActionDialog
                    open
                    danger
                    title={t("dismiss_title", { name: mailName(mail), email: mail.to_address })}
                    confirm={t("dismiss")}
                    done={t("dismissed")}
                    path={`/admin/mails/${mail.mail_id}/dismiss`}
                    fields={
                      <ReasonArea kind="mail" name="reason" label={t("dismiss_reason")} required rows={2} />
                    }
                    body={(values) => ({ reason: String(values.get("reason") ?? "").trim() })}
                    check={(values) => (String(values.get("reason") ?? "").trim() ? "" : t("reason_missing"))}
                    consequences={[t("dismiss_effect")]}
                    onClose={onClose}
                  />
                ),
              },
            ]
          : [],
      }}
    />
  );
}
