"use client";

import { useTranslations } from "next-intl";
import { columnsOf } from "@/components/console/list/columns";
import { type ListData, ListScreen } from "@/components/console/list/list-screen";
import { Pill } from "@/components/console/pill";
import { useSurface } from "@/components/ui/surface";
import { COUNTED_STOCK } from "@/lib/catalog/console/rules";
import type { MerchantStock } from "@/lib/merchants/key-files/contract";
import { COUNTED_KEYS } from "@/lib/merchants/key-files/rules";
import { AlertDialog } from "./alert-dialog";
import { KeysTabs } from "./keys-tabs";

const column = columnsOf<MerchantStock>();
const limit = COUNTED_STOCK;

/** The codes of a merchant's plans, and when it is notified that they run low. */
export function StockScreen({ handle, ...data }: ListData<MerchantStock> & { handle: string }) {
  const t = useTranslations("console.merchant_keys");
  const { locale } = useSurface();
  return (
    <ListScreen
      {...data}
      title={t("title")}
      lead={t("lead")}
      empty={t("empty")}
      rowId={({ plan_id }) => String(plan_id)}
      rowName={({ product_name, plan_label }) => `${product_name} ${plan_label}`}
      texts={{ labels: { waiting: t("people_wait") } }}
      views={[
        { id: "all", label: t("all"), filters: {} },
        { id: "no_stock", label: t("no_stock"), filters: { no_stock: "true" } },
        { id: "waiting", label: t("people_wait"), filters: { waiting: "true" } },
      ]}
      columns={[
        column.text("plan", t("plan"), (row) => `${row.product_name} · ${row.plan_label}`, { main: true }),
        column.state(
          "state",
          t("state"),
          ({ low, listed }) => [low && { text: t("low"), tone: "warn" }, !listed && { text: t("unlisted") }],
          { width: 96 },
        ),
        column.cell(
          "available",
          t("available"),
          ({ available }) =>
            available === 0 ? (
              <Pill tone="bad">{t("none")}</Pill>
            ) : (
              `${available.toLocaleString(locale)}${available >= COUNTED_KEYS ? "+" : ""}`
            ),
          { width: 76, end: true, card: "end" },
        ),
        column.count("reserved", t("reserved"), ({ reserved }) => reserved, {
          limit,
          minor: true,
          width: 64,
        }),
        column.count("sold", t("sold"), ({ sold_28_days }) => sold_28_days, { width: 108 }),
        column.text(
          "cover",
          t("cover"),
          ({ days_of_cover }) => (days_of_cover === null ? null : t("days", { count: days_of_cover })),
          { width: 84, end: true, card: "sub" },
        ),
        column.count("waiting", t("waiting"), ({ waiting }) => waiting, { limit, width: 72 }),
        column.date("redeem", t("next_redeem_by"), ({ next_redeem_by }) => next_redeem_by, {
          width: 104,
          minor: true,
        }),
        column.count("suggested", t("suggested"), ({ suggested }) => suggested || null, { width: 84 }),
        column.text("alert", t("alert"), ({ alert }) => t(`alert_at.${alert.kind}`, { value: alert.value }), {
          panel: true,
        }),
      ]}
      actions={[
        {
          id: "alert",
          label: t("change_alert"),
          dialog: (plan, onClose) => <AlertDialog key={plan.plan_id} plan={plan} onClose={onClose} />,
        },
      ]}
      tools={<KeysTabs handle={handle} current="stock" />}
    />
  );
}
