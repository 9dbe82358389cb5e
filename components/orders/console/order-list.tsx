"use client";

import { useTranslations } from "next-intl";
import { columnsOf, NOTHING } from "@/components/console/list/columns";
import { Pill, type Tone } from "@/components/console/pill";
import { usePaymentMethod } from "@/components/orders/console/payment-method";
import { ActionDialog } from "@/components/staff/action-dialog";
import { StaffList } from "@/components/staff/staff-list";
import { CopyButton } from "@/components/ui/copy-button";
import type { ConsoleOrder, ConsoleOrderList } from "@/lib/orders/console/contract";
import type { OrdersResent } from "@/lib/orders/console/contract-refunds";
import type { OrderStatus } from "@/lib/orders/rules";
import { mayStaff } from "@/lib/platform/auth/permissions";
import type { StaffListData } from "@/lib/staff/lists/contract";

const PATH = "/console/orders";
export const ORDER_TONES: Partial<Record<OrderStatus, Tone>> = {
  completed: "good",
  shipped: "good",
  processing: "warn",
  paid: "warn",
  refunded: "bad",
};

/** What staff call the provider's states; every other one is open. */
export const PAYMENT_WORDS: Partial<
  Record<NonNullable<ConsoleOrder["payment"]>["state"], "paid" | "cancelled">
> = {
  succeeded: "paid",
  canceled: "cancelled",
};
const column = columnsOf<ConsoleOrder>();

/** The list of orders for staff. */
export function ConsoleOrders(data: StaffListData<ConsoleOrderList>) {
  const t = useTranslations("console.orders");
  const actions = useTranslations("console.order_actions");
  const statusName = useTranslations("console.order_status");
  const methodName = usePaymentMethod();
  const passes = (row: ConsoleOrder) =>
    row.passes.map(({ product_name, vip_type, quantity, waiting }, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the lines of an order keep their order
      <span key={i}>
        {i > 0 && ", "}
        {`${product_name} · ${vip_type}${quantity > 1 ? ` × ${quantity}` : ""}`}
        {waiting && <Pill tone="warn">{t("waiting")}</Pill>}
      </span>
    ));
  return (
    <StaffList
      {...data}
      declared={{
        title: t("title"),
        empty: t("empty"),
        rowId: ({ order_id }) => order_id,
        rowName: ({ order_number }) => order_number,
        href: ({ order_number }) => `${PATH}/${order_number}`,
        texts: {
          main: "email",
          values: { status: (value) => statusName(value as OrderStatus) },
          labels: { waiting: t("waiting") },
        },
        views: [
          { id: "all", label: t("views.all"), filters: {} },
          { id: "unpaid", label: t("views.unpaid"), filters: { status: "pending" } },
          { id: "waiting", label: t("waiting"), filters: { waiting: "true" } },
          { id: "disputed", label: t("views.disputed"), filters: { disputed: "true" } },
        ],
        columns: [
          column.link(
            "number",
            t("number"),
            (row) => ({ text: row.order_number, href: `${PATH}/${row.order_number}` }),
            {
              main: true,
              width: 120,
            },
          ),
          column.time("when", t("when"), ({ created_at }) => created_at),
          column.link("email", t("email"), ({ send_email }) => ({
            text: send_email,
            href: `${PATH}?email=${encodeURIComponent(send_email)}`,
          })),
          column.cell("passes", t("passes"), passes, { card: "sub" }),
          column.money("total", t("total"), ({ final_amount }) => final_amount),
          column.state(
            "status",
            t("status"),
            ({ status, disputed }) => [
              { text: statusName(status), tone: ORDER_TONES[status] },
              disputed && { text: t("disputed"), tone: "bad" },
            ],
            { width: 148 },
          ),
          column.cell(
            "payment",
            t("payment"),
            ({ payment }) =>
              payment
                ? `${methodName(payment.method)}, ${t(`payment_state.${PAYMENT_WORDS[payment.state] ?? "open"}`)}`
                : NOTHING,
            { width: 132, minor: true },
          ),
        ],
        bulk: [
          ...(mayStaff(data.roles, "orders.write")
            ? [
                {
                  id: "resend",
                  label: actions("resend_many"),
                  dialog: (rows: ConsoleOrder[], onClose: () => void) => (
                    <ActionDialog<OrdersResent>
                      open
                      title={actions("resend_many_title", { count: rows.length })}
                      confirm={actions("resend_many")}
                      done={({ resent, failed }) =>
                        [
                          actions("resend_many_done", { count: resent }),
                          ...(failed.length > 0
                            ? [actions("resend_many_failed", { count: failed.length })]
                            : []),
                        ].join(" · ")
                      }
                      path="/admin/orders/resend"
                      body={() => ({ order_ids: rows.map(({ order_id }) => order_id) })}
                      onClose={onClose}
                    />
                  ),
                },
              ]
            : []),
          {
            id: "copy",
            controls: (rows) => (
              <CopyButton
                text={rows.map(({ order_number }) => order_number).join("\n")}
                look="quiet"
                labels={{ copy: t("copy_numbers"), copied: t("copied"), failed: t("copy_failed") }}
              />
            ),
          },
        ],
      }}
    />
  );
}
