"use client";

import { useTranslations } from "next-intl";
import { columnsOf } from "@/components/console/list/columns";
import type { RowAction } from "@/components/console/list/row-actions";
import { KeyViewTabs } from "@/components/delivery/console/key-tabs";
import { ActionDialog } from "@/components/staff/action-dialog";
import { StaffList } from "@/components/staff/staff-list";
import { COUNTED_STOCK } from "@/lib/catalog/console/rules";
import type {
  ConsoleWithheldList,
  ConsoleWithheldPlan,
  WithheldDecided,
} from "@/lib/delivery/console/contract-withheld";
import { mayStaff } from "@/lib/platform/auth/permissions";
import type { StaffListData } from "@/lib/staff/lists/contract";

const column = columnsOf<ConsoleWithheldPlan>();
const limit = COUNTED_STOCK;
const passOf = ({ product_name, vip_type }: ConsoleWithheldPlan) => `${product_name} · ${vip_type}`;
const hrefOf = ({ vip_id }: ConsoleWithheldPlan) => `/console/keys?vip_id=${vip_id}`;

/** Plans whose codes are withheld after a restore of the database, and what staff decide about them. */
export function WithheldScreen(data: StaffListData<ConsoleWithheldList>) {
  const t = useTranslations("console.withheld");
  return (
    <StaffList
      {...data}
      declared={{
        title: t("title"),
        lead: t("lead"),
        empty: t("empty"),
        rowId: ({ vip_id }) => String(vip_id),
        rowName: passOf,
        href: hrefOf,
        columns: [
          column.link("plan", t("plan"), (row) => ({ text: passOf(row), href: hrefOf(row) }), { main: true }),
          column.count("withheld", t("withheld"), ({ withheld }) => withheld, {
            limit,
            card: "end",
            width: 120,
          }),
          column.count("available", t("available"), ({ available }) => available, { limit, width: 120 }),
          column.count("waiting", t("waiting"), ({ waiting }) => waiting, { limit, width: 160 }),
        ],
        tools: <KeyViewTabs current="withheld" />,
        actions: mayStaff(data.roles, "stock.manage")
          ? (["release", "revoke"] as const).map(
              (decision): RowAction<ConsoleWithheldPlan> => ({
                id: decision,
                key: decision === "release" ? "a" : "r",
                label: t(decision),
                danger: decision === "revoke",
                name: (plan) => t(`${decision}_name`, { plan: passOf(plan) }),
                dialog: (plan, onClose) => (
                  <ActionDialog<WithheldDecided>
                    open
                    title={t(`${decision}_title`, { plan: passOf(plan) })}
                    confirm={t(decision)}
                    danger={decision === "revoke"}
                    done={({ count }) => t(decision === "release" ? "released" : "revoked", { count })}
                    path={`/admin/keys/withheld/${plan.vip_id}/${decision}`}
                    body={() => ({ version: plan.version })}
                    onClose={onClose}
                  />
                ),
              }),
            )
          : [],
      }}
    />
  );
}
