"use client";

import { useTranslations } from "next-intl";
import { columnsOf } from "@/components/console/list/columns";
import { ShortTime } from "@/components/console/time";
import { ActionDialog } from "@/components/staff/action-dialog";
import { StaffList } from "@/components/staff/staff-list";
import { TextArea } from "@/components/ui/text-input";
import type { ConsoleDeclaration, ConsoleDeclarationList } from "@/lib/orders/console/contract-declarations";
import { DECLARATION_STATES, type DeclarationState } from "@/lib/orders/withdrawal/rules-declaration";
import type { StaffListData } from "@/lib/staff/lists/contract";

const column = columnsOf<ConsoleDeclaration>();
const isOpen = ({ state }: ConsoleDeclaration) => state === "open";

/** Declarations of withdrawal: those that wait for their proof, and how the others ended. */
export function ConsoleDeclarations(data: StaffListData<ConsoleDeclarationList>) {
  const t = useTranslations("console.declarations");
  return (
    <StaffList
      {...data}
      declared={{
        title: t("title"),
        lead: t("lead"),
        empty: t("empty"),
        rowId: ({ declaration_id }) => declaration_id,
        rowName: ({ order_ref, email }) => `${order_ref}, ${email}`,
        texts: { values: { state: (value) => t(`states.${value as DeclarationState}`) } },
        views: DECLARATION_STATES.map((state) => ({
          id: state,
          label: t(`states.${state}`),
          filters: state === "open" ? {} : { state },
        })),
        columns: [
          column.text("reference", t("reference"), ({ order_ref }) => order_ref, { main: true, width: 150 }),
          column.order(t("order"), ({ order_number }) => order_number),
          column.text("email", t("email"), ({ email }) => email, { card: "sub" }),
          column.text("name", t("name"), ({ name }) => name),
          column.text("passes", t("passes"), ({ passes }) => passes ?? t("all_passes")),
          column.text("times", t("times"), ({ times }) => times, { width: 70, end: true, minor: true }),
          column.time("declared", t("declared"), ({ declared_at }) => declared_at),
          column.cell("end", t("end"), ({ ended_at, due_at }) => <ShortTime at={ended_at ?? due_at} />, {
            width: 138,
            card: "time",
          }),
          column.longText("note", t("note"), ({ closed_note }) => closed_note),
        ],
        actions: [
          {
            id: "code",
            key: "a",
            label: t("send_code"),
            when: (row) => isOpen(row) && row.order_number !== null,
            dialog: ({ declaration_id, email, version }, onClose) => (
              <ActionDialog
                open
                title={t("send_code_title", { email })}
                confirm={t("send_code")}
                done={t("code_sent")}
                path={`/admin/declarations/${declaration_id}/code`}
                body={() => ({ version })}
                onClose={onClose}
              />
            ),
          },
          {
            id: "close",
            key: "r",
            label: t("close"),
            danger: true,
            when: isOpen,
            dialog: ({ declaration_id, order_ref, version }, onClose) => (
              <ActionDialog
                open
                title={t("close_title", { order: order_ref })}
                confirm={t("close")}
                danger
                done={t("closed")}
                path={`/admin/declarations/${declaration_id}/close`}
                fields={
                  <TextArea name="note" label={t("note")} hint={t("note_hint")} maxLength={500} required />
                }
                check={(fields) => (String(fields.get("note")).trim().length < 3 ? t("note_missing") : "")}
                body={(fields) => ({ version, note: String(fields.get("note")).trim() })}
                onClose={onClose}
              />
            ),
          },
        ],
      }}
    />
  );
}
