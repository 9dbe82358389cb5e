"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useMemo, useState } from "react";
import { useActorName } from "@/components/console/actor";
import type { Column } from "@/components/console/data-table";
import type { FilterValues } from "@/components/console/filter-bar";
import { ConsoleLink } from "@/components/console/link";
import { ListScreen } from "@/components/console/list-screen";
import { Pill, type Tone } from "@/components/console/pill";
import { StateTabs } from "@/components/console/state-tabs";
import { Age, ShortTime } from "@/components/console/time";
import { BatchWithdrawal } from "@/components/merchants/key-batches/batch-withdrawal";
import { ActionDialog } from "@/components/staff/action-dialog";
import { Button } from "@/components/ui/button";
import { TextArea } from "@/components/ui/text-input";
import type {
  ConsoleReplacement,
  ConsoleReplacementList,
} from "@/lib/delivery/console/contract-replacements";
import { REPLACEMENT_NOTE_MAX, REPLACEMENT_STATES, type ReplacementState } from "@/lib/delivery/rules";

const PATH = "/console/replacements";
const TONES: Record<ReplacementState, Tone> = { asked: "warn", approved: "good", refused: "bad" };
/** Stock is counted to this number. */
const COUNTED = 100;

type Choice = { request: ConsoleReplacement; decision: "approve" | "refuse" };

const passOf = ({ product_name, vip_type }: ConsoleReplacement) => `${product_name} · ${vip_type}`;
const counted = (count: number) => (count >= COUNTED ? `${COUNTED}+` : String(count));

/** The queue of replacement requests, oldest first, with what helps to decide; and the decided ones. */
export function ConsoleReplacements({
  list,
  values,
  state,
  mayDecide,
  tools,
  mayWithdraw,
}: {
  list: ConsoleReplacementList;
  values: FilterValues;
  state: ReplacementState;
  mayDecide: boolean;
  /** Saved views and the export. */
  tools: ReactNode;
  /** the unsold codes of a batch */
  mayWithdraw: boolean;
}) {
  const t = useTranslations("console.replacements");
  const actorName = useActorName();
  const [choice, setChoice] = useState<Choice>();
  const isOpen = state === "asked";
  const columns = useMemo((): Column<ConsoleReplacement>[] => {
    const decision: Column<ConsoleReplacement> = isOpen
      ? {
          id: "actions",
          header: t("actions"),
          main: true,
          oneLine: true,
          cell: (request) => (
            <span className="flex flex-wrap gap-2">
              {request.blocked_by && <Pill tone="bad">{t(`blocked.${request.blocked_by}`)}</Pill>}
              {mayDecide && !request.blocked_by && (
                <Button onClick={() => setChoice({ request, decision: "approve" })}>{t("approve")}</Button>
              )}
              {mayDecide && request.blocked_by !== "own_request" && (
                <Button look="quiet" onClick={() => setChoice({ request, decision: "refuse" })}>
                  {t("refuse")}
                </Button>
              )}
            </span>
          ),
        }
      : {
          id: "decided",
          header: t("decided"),
          cell: ({ decided_at, decided_by, state }) => (
            <>
              <Pill tone={TONES[state]}>{t(`state.${state}`)}</Pill>{" "}
              {decided_at && <ShortTime at={decided_at} />}
              <span className="block text-13 text-quiet">{decided_by && actorName(decided_by)}</span>
            </>
          ),
        };
    return [
      {
        id: "pass",
        header: t("pass"),
        main: true,
        cell: (request) => (
          <div className="min-[900px]:min-w-40">
            {passOf(request)}
            <ConsoleLink
              href={`/console/orders/${request.order_number}`}
              className="text-link block w-fit font-normal whitespace-nowrap"
            >
              {request.order_number}
            </ConsoleLink>
          </div>
        ),
      },
      isOpen
        ? {
            id: "age",
            header: t("age"),
            oneLine: true,
            cell: ({ asked_at }) => <Age at={asked_at} />,
          }
        : { id: "asked", header: t("asked"), cell: ({ asked_at }) => <ShortTime at={asked_at} /> },
      {
        id: "reason",
        header: t("reason"),
        cell: ({ reason, asked_by }) => (
          <div className="min-[900px]:min-w-48">
            <p className="whitespace-pre-wrap">{reason}</p>
            {asked_by && <p className="text-13 text-quiet">{t("asked_by", { email: asked_by })}</p>}
          </div>
        ),
      },
      {
        id: "buyer",
        header: t("buyer"),
        cell: ({ customer_id, email, earlier, earlier_approved }) => (
          <div className="min-[900px]:min-w-40">
            <ConsoleLink href={`/console/customers/${customer_id}`} className="text-link wrap-anywhere">
              {email}
            </ConsoleLink>
            <p className="text-13 text-quiet">
              {t("earlier_text", { count: earlier, approved: earlier_approved })}
            </p>
          </div>
        ),
      },
      { id: "shown", header: t("shown"), cell: ({ shown }) => t("shown_text", { count: shown }) },
      { id: "stock", header: t("stock"), align: "end", cell: ({ stock }) => counted(stock) },
      {
        id: "batch",
        header: t("batch"),
        cell: (request) =>
          request.batch_id === null ? (
            <span className="text-quiet">{t("no_batch")}</span>
          ) : (
            <div className="flex flex-col items-start gap-1 min-[900px]:min-w-32">
              <ConsoleLink
                href={`/console/keys/batches/${request.batch_id}`}
                className="text-link wrap-anywhere"
              >
                {request.batch_name}
              </ConsoleLink>
              {request.batch_requests !== null && (
                <p className="text-13 text-quiet">{t("batch_text", { count: request.batch_requests })}</p>
              )}
              {mayWithdraw && (
                <BatchWithdrawal
                  of="admin"
                  id={request.batch_id}
                  name={request.batch_name ?? ""}
                  requestId={request.request_id}
                />
              )}
            </div>
          ),
      },
      decision,
    ];
  }, [t, actorName, isOpen, mayDecide, mayWithdraw]);
  return (
    <>
      <ListScreen
        name="replacements"
        title={t("title")}
        lead={t("lead")}
        list={list}
        values={values}
        filters={[]}
        columns={columns}
        rowId={({ request_id }) => request_id}
        rowName={(request) => `${passOf(request)} ${request.email}`}
        href={({ order_number }) => `/console/orders/${order_number}`}
        empty={t("empty")}
        tools={
          <>
            <StateTabs
              label={t("tabs")}
              current={state}
              tabs={REPLACEMENT_STATES.map((value) => ({
                value,
                label: t(`state.${value}`),
                href: value === "asked" ? PATH : `${PATH}?state=${value}`,
              }))}
            />
            {tools}
          </>
        }
      />
      {choice && (
        <ActionDialog
          open
          title={t(`${choice.decision}_title`, { pass: passOf(choice.request) })}
          confirm={t(choice.decision)}
          danger={choice.decision === "refuse"}
          done={t(choice.decision === "approve" ? "approved" : "refused")}
          path={`/admin/replacements/${choice.request.request_id}/${choice.decision}`}
          body={(fields) => ({
            version: choice.request.version,
            ...(choice.decision === "refuse" && { reason: String(fields.get("reason") ?? "").trim() }),
          })}
          fields={
            choice.decision === "refuse" ? (
              <TextArea
                name="reason"
                label={t("reason_label")}
                hint={t("reason_hint")}
                required
                maxLength={REPLACEMENT_NOTE_MAX}
                rows={3}
              />
            ) : undefined
          }
          onClose={() => setChoice(undefined)}
        />
      )}
    </>
  );
}
