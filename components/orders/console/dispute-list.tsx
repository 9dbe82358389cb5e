"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useMemo } from "react";
import type { Column } from "@/components/console/data-table";
import type { FilterValues } from "@/components/console/filter-bar";
import { ConsoleLink } from "@/components/console/link";
import { ListScreen } from "@/components/console/list-screen";
import { Pill } from "@/components/console/pill";
import { StateTabs } from "@/components/console/state-tabs";
import { ShortTime } from "@/components/console/time";
import { useDisputeTexts } from "@/components/orders/console/dispute-texts";
import { EvidenceButton } from "@/components/orders/console/evidence-button";
import { useSurface } from "@/components/ui/surface";
import type { ConsoleDispute, ConsoleDisputeList } from "@/lib/orders/console/contract-disputes";
import { formatPrice, toCents } from "@/lib/platform/money";

const PATH = "/console/disputes";

/** When the evidence is due. */
export function DueDate({ dispute }: { dispute: Pick<ConsoleDispute, "evidence_due_at" | "is_open"> }) {
  const t = useTranslations("console.disputes");
  if (!dispute.evidence_due_at) return <span className="text-quiet">{t("no_due")}</span>;
  return <ShortTime at={dispute.evidence_due_at} />;
}

/** Disputed payments: the open ones by their due date, or the closed ones. */
export function ConsoleDisputes({
  list,
  values,
  state,
  mayTake,
  tools,
}: {
  list: ConsoleDisputeList;
  values: FilterValues;
  state: "open" | "closed";
  mayTake: boolean;
  /** Saved views and the export. */
  tools: ReactNode;
}) {
  const t = useTranslations("console.disputes");
  const texts = useDisputeTexts();
  const { locale } = useSurface();
  const isOpen = state === "open";
  // biome-ignore lint/correctness/useExhaustiveDependencies: the texts change with the language only
  const columns = useMemo((): Column<ConsoleDispute>[] => {
    const time: Column<ConsoleDispute> = isOpen
      ? { id: "due", header: t("due"), cell: (dispute) => <DueDate dispute={dispute} /> }
      : {
          id: "ended",
          header: t("ended"),
          cell: ({ closed_at }) => (closed_at ? <ShortTime at={closed_at} /> : "–"),
        };
    return [
      {
        id: "reference",
        header: t("reference"),
        main: true,
        cell: ({ dispute_id }) => (
          <ConsoleLink
            href={`${PATH}/${dispute_id}`}
            className="text-link wrap-anywhere min-[900px]:inline-block min-[900px]:min-w-32"
          >
            {dispute_id}
          </ConsoleLink>
        ),
      },
      time,
      {
        id: "amount",
        header: t("amount"),
        align: "end",
        cell: ({ amount }) => formatPrice(toCents(amount), locale),
      },
      { id: "reason", header: t("reason"), cell: ({ reason }) => texts.reason(reason) },
      {
        id: "status",
        header: t("status"),
        cell: ({ status }) => <Pill tone={texts.tone(status)}>{texts.status(status)}</Pill>,
      },
      {
        id: "order",
        header: t("order"),
        cell: ({ order_number, customer_id, email }) => (
          <div className="min-[900px]:min-w-40">
            <ConsoleLink href={`/console/orders/${order_number}`} className="text-link">
              {order_number}
            </ConsoleLink>
            <ConsoleLink
              href={`/console/customers/${customer_id}`}
              className="text-link block w-fit text-13 wrap-anywhere"
            >
              {email}
            </ConsoleLink>
          </div>
        ),
      },
      ...(mayTake
        ? [
            {
              id: "evidence",
              header: t("evidence"),
              main: true,
              oneLine: true,
              cell: ({ dispute_id }: ConsoleDispute) => <EvidenceButton disputeId={dispute_id} />,
            },
          ]
        : []),
    ];
  }, [t, locale, isOpen, mayTake]);
  return (
    <ListScreen
      name="disputes"
      title={t("title")}
      lead={t("lead")}
      list={list}
      values={values}
      filters={[]}
      columns={columns}
      rowId={({ dispute_id }) => dispute_id}
      rowName={({ dispute_id }) => dispute_id}
      href={({ dispute_id }) => `${PATH}/${dispute_id}`}
      empty={t("empty")}
      tools={
        <>
          <StateTabs
            label={t("tabs")}
            current={state}
            tabs={[
              { value: "open", label: t("open"), href: PATH },
              { value: "closed", label: t("closed"), href: `${PATH}?state=closed` },
            ]}
          />
          {tools}
        </>
      }
    />
  );
}
