"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useMemo, useState } from "react";
import type { Column } from "@/components/console/data-table";
import type { Filter, FilterValues } from "@/components/console/filter-bar";
import { ConsoleLink } from "@/components/console/link";
import { ListScreen } from "@/components/console/list-screen";
import { Pill, type Tone } from "@/components/console/pill";
import { Age, ShortTime } from "@/components/console/time";
import { usePaymentMethod } from "@/components/orders/console/payment-method";
import { ActionDialog } from "@/components/staff/action-dialog";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { useSurface } from "@/components/ui/surface";
import type { ConsoleOrder, ConsoleOrderList } from "@/lib/orders/console/contract";
import type { OrdersResent } from "@/lib/orders/console/contract-refunds";
import { ORDER_STATUSES, type OrderStatus } from "@/lib/orders/rules";
import { formatPrice, toCents } from "@/lib/platform/money";

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

/** The list of orders for staff. */
export function ConsoleOrders({
  list,
  values,
  tools,
  mayWrite,
}: {
  list: ConsoleOrderList;
  values: FilterValues;
  tools: ReactNode;
  mayWrite: boolean;
}) {
  const t = useTranslations("console.orders");
  const actions = useTranslations("console.order_actions");
  const statusName = useTranslations("console.order_status");
  const methodName = usePaymentMethod();
  const { locale } = useSurface();
  const [resending, setResending] = useState<ConsoleOrder[]>();
  const yes = [{ value: "true", label: t("yes") }];
  const filters: Filter[] = [
    { name: "email", label: t("email"), kind: "text", first: true },
    { name: "number", label: t("number"), kind: "text", first: true },
    {
      name: "status",
      label: t("status"),
      kind: "choice",
      first: true,
      options: ORDER_STATUSES.map((value) => ({ value, label: statusName(value) })),
    },
    { name: "from", label: t("from"), kind: "date" },
    { name: "to", label: t("to"), kind: "date" },
    { name: "amount_from", label: t("amount_from"), kind: "number" },
    { name: "amount_to", label: t("amount_to"), kind: "number" },
    { name: "vip_id", label: t("plan"), kind: "number" },
    { name: "vendor", label: t("vendor"), kind: "text" },
    { name: "coupon_code", label: t("coupon"), kind: "text" },
    { name: "came_from", label: t("source"), kind: "text" },
    { name: "disputed", label: t("disputed"), kind: "choice", options: yes },
    { name: "waiting", label: t("waiting"), kind: "choice", options: yes },
  ];
  const columns = useMemo(
    (): Column<ConsoleOrder>[] => [
      {
        id: "number",
        header: t("number"),
        main: true,
        oneLine: true,
        cell: ({ order_number }) => (
          <ConsoleLink href={`${PATH}/${order_number}`} className="text-link">
            {order_number}
          </ConsoleLink>
        ),
      },
      {
        id: "when",
        header: t("when"),
        cell: ({ created_at }) => (
          <>
            <ShortTime at={created_at} />
            <span className="block text-13 text-quiet">
              <Age at={created_at} />
            </span>
          </>
        ),
      },
      {
        id: "email",
        header: t("email"),
        cell: ({ send_email }) => (
          <ConsoleLink
            href={`${PATH}?email=${encodeURIComponent(send_email)}`}
            className="text-link inline-block wrap-anywhere min-[900px]:min-w-32"
          >
            {send_email}
          </ConsoleLink>
        ),
      },
      {
        id: "passes",
        header: t("passes"),
        cell: ({ passes }) => (
          <ul className="min-[900px]:min-w-32">
            {passes.map((pass, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the lines of an order keep their order
              <li key={i}>
                {`${pass.product_name} · ${pass.vip_type}${pass.quantity > 1 ? ` × ${pass.quantity}` : ""}`}{" "}
                {pass.waiting && <Pill tone="warn">{t("waiting")}</Pill>}
              </li>
            ))}
          </ul>
        ),
      },
      {
        id: "total",
        header: t("total"),
        align: "end",
        cell: ({ final_amount }) => formatPrice(toCents(final_amount), locale),
      },
      {
        id: "status",
        header: t("status"),
        cell: ({ status, disputed }) => (
          <span className="flex flex-wrap gap-1.5">
            <Pill tone={ORDER_TONES[status]}>{statusName(status)}</Pill>
            {disputed && <Pill tone="bad">{t("disputed")}</Pill>}
          </span>
        ),
      },
      {
        id: "payment",
        header: t("payment"),
        oneLine: true,
        cell: ({ payment }) =>
          payment ? (
            <>
              {methodName(payment.method)}
              <span className="block text-13 text-quiet">
                {t(`payment_state.${PAYMENT_WORDS[payment.state] ?? "open"}`)}
              </span>
            </>
          ) : (
            "–"
          ),
      },
    ],
    [t, statusName, methodName, locale],
  );
  return (
    <>
      <ListScreen
        name="orders"
        title={t("title")}
        list={list}
        values={values}
        filters={filters}
        columns={columns}
        rowId={({ order_id }) => order_id}
        rowName={({ order_number }) => order_number}
        href={({ order_number }) => `${PATH}/${order_number}`}
        bulk={(rows) => (
          <>
            {mayWrite && (
              <Button look="quiet" onClick={() => setResending(rows)}>
                {actions("resend_many")}
              </Button>
            )}
            <CopyButton
              text={rows.map(({ order_number }) => order_number).join("\n")}
              look="quiet"
              labels={{ copy: t("copy_numbers"), copied: t("copied"), failed: t("copy_failed") }}
            />
          </>
        )}
        empty={t("empty")}
        tools={tools}
      />
      <ActionDialog<OrdersResent>
        open={resending !== undefined}
        title={actions("resend_many_title", { count: resending?.length ?? 0 })}
        confirm={actions("resend_many")}
        done={({ resent, failed }) =>
          [
            actions("resend_many_done", { count: resent }),
            ...(failed.length > 0 ? [actions("resend_many_failed", { count: failed.length })] : []),
          ].join(" · ")
        }
        path="/admin/orders/resend"
        body={() => ({ order_ids: (resending ?? []).map(({ order_id }) => order_id) })}
        onClose={() => setResending(undefined)}
      />
    </>
  );
}
