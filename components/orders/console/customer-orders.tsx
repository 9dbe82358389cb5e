"use client";

import { useTranslations } from "next-intl";
import { ConsoleLink } from "@/components/console/link";
import { Pill } from "@/components/console/pill";
import { RecordTable } from "@/components/console/record";
import { ShortTime } from "@/components/console/time";
import { useSurface } from "@/components/ui/surface";
import { formatPrice, toCents } from "@/lib/platform/money";
import type { ConsoleCustomerDetail } from "@/lib/staff/customers/contract";
import { ORDER_TONES } from "./order-list";

/** The newest orders of a customer for staff. */
export function CustomerOrders({ customer }: { customer: ConsoleCustomerDetail }) {
  const t = useTranslations("console.customer");
  const list = useTranslations("console.orders");
  const statusName = useTranslations("console.order_status");
  const { locale } = useSurface();
  const { customer_id, recent_orders, order_total } = customer;
  return (
    <>
      <RecordTable
        label={t("orders")}
        rows={recent_orders}
        rowId={({ order_id }) => order_id}
        empty={t("no_orders")}
        columns={[
          {
            name: list("number"),
            cell: ({ order_number }) => (
              <ConsoleLink href={`/console/orders/${order_number}`} className="text-link whitespace-nowrap">
                {order_number}
              </ConsoleLink>
            ),
          },
          { name: list("when"), cell: ({ created_at }) => <ShortTime at={created_at} /> },
          {
            name: list("passes"),
            cell: ({ passes }) =>
              passes.map(({ product_name, vip_type }) => `${product_name} · ${vip_type}`).join(", "),
          },
          {
            name: list("total"),
            end: true,
            cell: ({ final_amount }) => formatPrice(toCents(final_amount), locale),
          },
          {
            name: list("status"),
            cell: ({ status, disputed }) => (
              <span className="flex flex-wrap gap-1.5">
                <Pill tone={ORDER_TONES[status]}>{statusName(status)}</Pill>
                {disputed && <Pill tone="bad">{list("disputed")}</Pill>}
              </span>
            ),
          },
        ]}
      />
      {order_total > recent_orders.length && (
        <p className="pt-3">
          <ConsoleLink href={`/console/orders?customer_id=${customer_id}`} className="text-link">
            {t("all_orders")}
          </ConsoleLink>
        </p>
      )}
    </>
  );
}
