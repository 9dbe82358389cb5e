"use client";

import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import type { Column } from "@/components/console/data-table";
import type { FilterValues } from "@/components/console/filter-bar";
import { ConsoleLink } from "@/components/console/link";
import { ListScreen } from "@/components/console/list-screen";
import { KeyViewTabs } from "@/components/delivery/console/key-tabs";
import { ActionDialog } from "@/components/staff/action-dialog";
import { Button } from "@/components/ui/button";
import { COUNTED_STOCK } from "@/lib/catalog/console/rules";
import type {
  ConsoleWithheldList,
  ConsoleWithheldPlan,
  WithheldDecided,
} from "@/lib/delivery/console/contract-withheld";

type Choice = { plan: ConsoleWithheldPlan; decision: "release" | "revoke" };

const passOf = ({ product_name, vip_type }: ConsoleWithheldPlan) => `${product_name} · ${vip_type}`;
const counted = (count: number) => (count >= COUNTED_STOCK ? `${COUNTED_STOCK}+` : String(count));

/** Plans whose codes are withheld after a restore of the database, and what staff decide about them. */
export function WithheldScreen({
  list,
  values,
  mayDecide,
}: {
  list: ConsoleWithheldList;
  values: FilterValues;
  mayDecide: boolean;
}) {
  const t = useTranslations("console.withheld");
  const [choice, setChoice] = useState<Choice>();
  const columns = useMemo((): Column<ConsoleWithheldPlan>[] => {
    const actions: Column<ConsoleWithheldPlan> = {
      id: "actions",
      header: t("actions"),
      main: true,
      oneLine: true,
      cell: (plan) => (
        <span className="flex flex-wrap gap-2">
          {(["release", "revoke"] as const).map((decision) => (
            <Button
              key={decision}
              look={decision === "release" ? "secondary" : "quiet"}
              aria-label={t(`${decision}_name`, { plan: passOf(plan) })}
              onClick={() => setChoice({ plan, decision })}
            >
              {t(decision)}
            </Button>
          ))}
        </span>
      ),
    };
    return [
      {
        id: "plan",
        header: t("plan"),
        main: true,
        cell: (plan) => (
          <ConsoleLink href={`/console/keys?vip_id=${plan.vip_id}`} className="text-link">
            {passOf(plan)}
          </ConsoleLink>
        ),
      },
      { id: "withheld", header: t("withheld"), align: "end", cell: ({ withheld }) => counted(withheld) },
      { id: "available", header: t("available"), align: "end", cell: ({ available }) => counted(available) },
      { id: "waiting", header: t("waiting"), align: "end", cell: ({ waiting }) => counted(waiting) },
      ...(mayDecide ? [actions] : []),
    ];
  }, [t, mayDecide]);
  return (
    <>
      <ListScreen
        name="keys/withheld"
        title={t("title")}
        lead={t("lead")}
        list={list}
        values={values}
        filters={[]}
        columns={columns}
        rowId={({ vip_id }) => String(vip_id)}
        rowName={passOf}
        empty={t("empty")}
        tools={<KeyViewTabs current="withheld" />}
      />
      {choice && (
        <ActionDialog<WithheldDecided>
          open
          title={t(`${choice.decision}_title`, { plan: passOf(choice.plan) })}
          confirm={t(choice.decision)}
          danger={choice.decision === "revoke"}
          done={({ count }) => t(choice.decision === "release" ? "released" : "revoked", { count })}
          path={`/admin/keys/withheld/${choice.plan.vip_id}/${choice.decision}`}
          body={() => ({ version: choice.plan.version })}
          onClose={() => setChoice(undefined)}
        />
      )}
    </>
  );
}
