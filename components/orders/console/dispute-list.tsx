"use client";

import { useTranslations } from "next-intl";
import { columnsOf } from "@/components/console/list/columns";
import { ShortTime } from "@/components/console/time";
import { useDisputeTexts } from "@/components/orders/console/dispute-texts";
import { useEvidence } from "@/components/orders/console/evidence-button";
import { StaffList } from "@/components/staff/staff-list";
import type { ConsoleDispute, ConsoleDisputeList } from "@/lib/orders/console/contract-disputes";
import { mayStaff } from "@/lib/platform/auth/permissions";
import type { StaffListData } from "@/lib/staff/lists/contract";

const PATH = "/console/disputes";
const column = columnsOf<ConsoleDispute>();
const hrefOf = ({ dispute_id }: ConsoleDispute) => `${PATH}/${dispute_id}`;

/** When the evidence is due. */
export function DueDate({ dispute }: { dispute: Pick<ConsoleDispute, "evidence_due_at" | "is_open"> }) {
  const t = useTranslations("console.disputes");
  if (!dispute.evidence_due_at) return <span className="text-quiet">{t("no_due")}</span>;
  return <ShortTime at={dispute.evidence_due_at} />;
}

/** Disputed payments: the open ones by their due date, or the closed ones. */
export function ConsoleDisputes(data: StaffListData<ConsoleDisputeList>) {
  const t = useTranslations("console.disputes");
  const texts = useDisputeTexts();
  const { download } = useEvidence();
  const isOpen = data.values.state !== "closed";
  return (
    <StaffList
      {...data}
      declared={{
        title: t("title"),
        lead: t("lead"),
        empty: t("empty"),
        rowId: ({ dispute_id }) => dispute_id,
        rowName: ({ dispute_id }) => dispute_id,
        href: hrefOf,
        texts: { values: { state: (value) => t(value as "open" | "closed") } },
        views: [
          { id: "open", label: t("open"), filters: {} },
          { id: "closed", label: t("closed"), filters: { state: "closed" } },
        ],
        columns: [
          column.link("reference", t("reference"), (row) => ({ text: row.dispute_id, href: hrefOf(row) }), {
            main: true,
          }),
          isOpen
            ? column.cell("due", t("due"), (dispute) => <DueDate dispute={dispute} />, {
                width: 138,
                card: "time",
              })
            : column.time("ended", t("ended"), ({ closed_at }) => closed_at),
          column.money("amount", t("amount"), ({ amount }) => amount),
          column.text("reason", t("reason"), ({ reason }) => texts.reason(reason)),
          column.state("status", t("status"), ({ status }) => ({
            text: texts.status(status),
            tone: texts.tone(status),
          })),
          column.order(t("order"), ({ order_number }) => order_number),
          column.customer("buyer", t("buyer"), (row) => row),
        ],
        actions: mayStaff(data.roles, "disputes.evidence")
          ? [{ id: "evidence", label: t("evidence"), run: ({ dispute_id }) => download(dispute_id) }]
          : [],
      }}
    />
  );
}
