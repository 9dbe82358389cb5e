"use client";

import { useTranslations } from "next-intl";
import { columnsOf } from "@/components/console/list/columns";
import type { RowAction } from "@/components/console/list/row-actions";
import { Pill } from "@/components/console/pill";
import { ShortTime, TimeLeft } from "@/components/console/time";
import {
  passName,
  type RefundDecision,
  RefundDialog,
  useRefundWhy,
} from "@/components/orders/console/refund-dialog";
import { ActionDialog } from "@/components/staff/action-dialog";
import { StaffList } from "@/components/staff/staff-list";
import type {
  ConsoleRefund,
  ConsoleRefundList,
  RefundsApproved,
} from "@/lib/orders/console/contract-refunds";
import { REFUND_LISTS, type RefundListName } from "@/lib/orders/console/rules";
import type { StaffListData } from "@/lib/staff/lists/contract";

/** What can be done with a refund of each part of the list. */
const ACTIONS: Record<RefundListName, readonly RefundDecision[]> = {
  open: ["approve", "refuse"],
  late: ["approve", "refuse"],
  refused: ["overrule"],
  failed: ["settle"],
};
const KEYS = { approve: "a", overrule: "a", settle: "a", refuse: "r" } as const;

const column = columnsOf<ConsoleRefund>();

/** The queue of refunds for staff. */
export function ConsoleRefunds(data: StaffListData<ConsoleRefundList>) {
  const t = useTranslations("console.refunds");
  const why = useRefundWhy();
  const part = REFUND_LISTS.find((name) => name === data.values.state) ?? "open";
  return (
    <StaffList
      {...data}
      declared={{
        title: t("title"),
        lead: t("lead"),
        empty: t(`empty.${part}`),
        rowId: ({ refund_id }) => refund_id,
        rowName: ({ order_number }) => order_number,
        href: ({ order_number }) => `/console/orders/${order_number}`,
        texts: { main: "email", values: { state: (value) => t(`states.${value as RefundListName}`) } },
        views: REFUND_LISTS.map((state) => ({
          id: state,
          label: t(`states.${state}`),
          filters: state === "open" ? {} : { state },
        })),
        columns: [
          column.order(t("order"), ({ order_number }) => order_number, { main: true }),
          column.cell(
            "left",
            part === "failed" ? t("failed_at") : part === "refused" ? t("refused_at") : t("left"),
            ({ answer_by, decided_at, at, disputed }) => (
              <>
                {answer_by ? (
                  <TimeLeft until={answer_by} late={t("late_by")} />
                ) : (
                  <ShortTime at={decided_at ?? at} />
                )}{" "}
                {disputed && <Pill tone="bad">{t("disputed")}</Pill>}
              </>
            ),
            { width: 138, card: "mark" },
          ),
          column.money("amount", t("amount"), ({ amount }) => amount),
          column.text("pass", t("pass"), (refund) => passName(refund) ?? t("whole_order"), { card: "sub" }),
          column.text("vendor", t("vendor"), ({ vendor }) => vendor, { minor: true }),
          column.text("shopper", t("shopper"), ({ email }) => email),
          column.text(
            "asked_by",
            t("asked_for_by"),
            ({ asked_by }) => asked_by && t("asked_by", { who: asked_by }),
            { panel: true },
          ),
          column.text("why", t("why"), why),
        ],
        actions: ACTIONS[part].map(
          (kind): RowAction<ConsoleRefund> => ({
            id: kind,
            key: KEYS[kind],
            label: t(kind),
            danger: kind === "refuse",
            name: ({ order_number: number }) => t(`${kind}_name`, { number }),
            dialog: (refund, onClose) => <RefundDialog kind={kind} refund={refund} onClose={onClose} />,
          }),
        ),
        ...((part === "open" || part === "late") && {
          bulk: [
            {
              id: "approve",
              label: t("approve_many"),
              dialog: (refunds: ConsoleRefund[], onClose: () => void) => (
                <ApproveManyDialog refunds={refunds} onClose={onClose} />
              ),
            },
          ],
        }),
      }}
    />
  );
}

function ApproveManyDialog({ refunds, onClose }: { refunds: ConsoleRefund[]; onClose: () => void }) {
  const t = useTranslations("console.refunds");
  return (
    <ActionDialog<RefundsApproved>
      open
      title={t("approve_many_title", { count: refunds.length })}
      confirm={t("approve")}
      danger
      done={({ approved, failed }) =>
        [
          t("approve_many_done", { count: approved }),
          ...(failed.length > 0 ? [t("approve_many_failed", { count: failed.length })] : []),
        ].join(" · ")
      }
      path="/admin/refunds/approve"
      body={() => ({
        refund_ids: refunds.map(({ refund_id }) => refund_id),
        versions: Object.fromEntries(refunds.map(({ refund_id, version }) => [refund_id, version])),
      })}
      onClose={onClose}
    />
  );
}
