"use client";

import { useTranslations } from "next-intl";
import { useActorName } from "@/components/console/actor";
import { columnsOf, NOTHING } from "@/components/console/list/columns";
import type { RowAction } from "@/components/console/list/row-actions";
import type { Tone } from "@/components/console/pill";
import { passOf, ReplacementDialog } from "@/components/delivery/console/replacement-dialog";
import { BatchWithdrawal } from "@/components/merchants/key-batches/batch-withdrawal";
import { StaffList } from "@/components/staff/staff-list";
import type {
  ConsoleReplacement,
  ConsoleReplacementList,
} from "@/lib/delivery/console/contract-replacements";
import { REPLACEMENT_STATES, type ReplacementState } from "@/lib/delivery/rules";
import { mayStaff } from "@/lib/platform/auth/permissions";
import type { StaffListData } from "@/lib/staff/lists/contract";

const TONES: Record<ReplacementState, Tone> = { asked: "warn", approved: "good", refused: "bad" };
const column = columnsOf<ConsoleReplacement>();

/** The queue of replacement requests, oldest first, with what helps to decide; and the decided ones. */
export function ConsoleReplacements(data: StaffListData<ConsoleReplacementList>) {
  const t = useTranslations("console.replacements");
  const actorName = useActorName();
  const isOpen = (data.values.state ?? "asked") === "asked";
  const mayDecide = isOpen && mayStaff(data.roles, "replacements.decide");
  const mayWithdraw = mayStaff(data.roles, "stock.manage");
  return (
    <StaffList
      {...data}
      declared={{
        title: t("title"),
        lead: t("lead"),
        empty: t("empty"),
        rowId: ({ request_id }) => request_id,
        rowName: (request) => `${passOf(request)} ${request.email}`,
        href: ({ order_number }) => `/console/orders/${order_number}`,
        texts: { values: { state: (value) => t(`state.${value as ReplacementState}`) } },
        views: REPLACEMENT_STATES.map((state) => ({
          id: state,
          label: t(`state.${state}`),
          filters: state === "asked" ? {} : { state },
        })),
        columns: [
          column.text("pass", t("pass"), passOf, { main: true }),
          column.order(t("order"), ({ order_number }) => order_number),
          isOpen
            ? column.age("age", t("age"), ({ asked_at }) => asked_at)
            : column.time("asked", t("asked"), ({ asked_at }) => asked_at),
          column.text("reason", t("reason"), ({ reason }) => reason),
          column.text("asked_by", t("requested_by"), ({ asked_by }) => asked_by, { panel: true }),
          column.customer("buyer", t("buyer"), (row) => row),
          column.text(
            "earlier",
            t("earlier"),
            ({ earlier: count, earlier_approved: approved }) => t("earlier_text", { count, approved }),
            { panel: true },
          ),
          column.text("shown", t("shown"), ({ shown }) => t("shown_text", { count: shown }), {
            width: 116,
            minor: true,
          }),
          column.count("stock", t("stock"), ({ stock }) => stock, { limit: 100, width: 64 }),
          column.link(
            "batch",
            t("batch"),
            ({ batch_id, batch_name }) =>
              batch_id === null
                ? null
                : { text: batch_name ?? "", href: `/console/keys/batches/${batch_id}` },
            { panel: true },
          ),
          column.cell(
            "batch_requests",
            t("batch_requests"),
            ({ batch_requests, batch_id, batch_name, request_id }) =>
              batch_id === null ? (
                t("no_batch")
              ) : (
                <>
                  {batch_requests !== null && t("batch_text", { count: batch_requests })}{" "}
                  {mayWithdraw && (
                    <BatchWithdrawal
                      of="admin"
                      id={batch_id}
                      name={batch_name ?? ""}
                      requestId={request_id}
                    />
                  )}
                </>
              ),
            { panel: true },
          ),
          column.state(
            "state",
            isOpen ? t("blocked_title") : t("decided"),
            ({ state, blocked_by }) =>
              isOpen
                ? [blocked_by && { text: t(`blocked.${blocked_by}`), tone: "bad" }]
                : { text: t(`state.${state}`), tone: TONES[state] },
            { width: 150 },
          ),
          ...(isOpen
            ? []
            : [
                column.time("decided", t("decided_at"), ({ decided_at }) => decided_at),
                column.cell(
                  "decided_by",
                  t("decided_by"),
                  ({ decided_by }) => (decided_by ? actorName(decided_by) : NOTHING),
                  { minor: true },
                ),
              ]),
        ],
        actions: mayDecide
          ? (["approve", "refuse"] as const).map(
              (decision): RowAction<ConsoleReplacement> => ({
                id: decision,
                key: decision === "approve" ? "a" : "r",
                label: t(decision),
                danger: decision === "refuse",
                when: ({ blocked_by }) =>
                  decision === "approve" ? !blocked_by : blocked_by !== "own_request",
                dialog: (request, onClose) => (
                  <ReplacementDialog request={request} decision={decision} onClose={onClose} />
                ),
              }),
            )
          : [],
      }}
    />
  );
}
