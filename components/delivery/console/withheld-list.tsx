"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { ConsoleLink } from "@/components/console/link";
import { ConsoleHeader } from "@/components/console/page-header";
import { RecordTable } from "@/components/console/record";
import { KeyViewTabs } from "@/components/delivery/console/key-tabs";
import { ActionDialog } from "@/components/staff/action-dialog";
import { Button } from "@/components/ui/button";
import { useSurface } from "@/components/ui/surface";
import type { ConsoleWithheldPlan, WithheldDecided } from "@/lib/delivery/console/contract-withheld";

type Choice = { plan: ConsoleWithheldPlan; decision: "release" | "revoke" };

const passOf = ({ product_name, vip_type_label }: ConsoleWithheldPlan) =>
  `${product_name} · ${vip_type_label}`;

/** Plans whose codes are withheld after a restore of the database, and what staff decide about them. */
export function WithheldScreen({
  plans,
  mayDecide,
}: {
  plans: readonly ConsoleWithheldPlan[];
  mayDecide: boolean;
}) {
  const t = useTranslations("console.withheld");
  const { locale } = useSurface();
  const [choice, setChoice] = useState<Choice>();
  const number = (value: number) => value.toLocaleString(locale);
  const actions = (plan: ConsoleWithheldPlan) => (
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
  );
  return (
    <>
      <ConsoleHeader title={t("title")} lead={t("lead")}>
        <KeyViewTabs current="withheld" />
      </ConsoleHeader>
      <RecordTable
        label={t("title")}
        rows={plans}
        rowId={({ vip_id }) => String(vip_id)}
        empty={t("empty")}
        columns={[
          {
            name: t("plan"),
            cell: (plan) => (
              <ConsoleLink href={`/console/keys?vip_id=${plan.vip_id}`} className="text-link">
                {passOf(plan)}
              </ConsoleLink>
            ),
          },
          { name: t("withheld"), end: true, cell: ({ withheld }) => number(withheld) },
          { name: t("available"), end: true, cell: ({ available }) => number(available) },
          { name: t("waiting"), end: true, cell: ({ waiting }) => number(waiting) },
          ...(mayDecide ? [{ name: t("actions"), cell: actions }] : []),
        ]}
      />
      {choice && (
        <ActionDialog<WithheldDecided>
          open
          title={t(`${choice.decision}_title`, { plan: passOf(choice.plan) })}
          confirm={t(choice.decision)}
          danger={choice.decision === "revoke"}
          done={({ count }) => t(choice.decision === "release" ? "released" : "revoked", { count })}
          path={`/admin/keys/withheld/${choice.plan.vip_id}/${choice.decision}`}
          onClose={() => setChoice(undefined)}
        />
      )}
    </>
  );
}
