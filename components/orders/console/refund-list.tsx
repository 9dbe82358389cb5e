"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useMemo, useState } from "react";
import { countryNames } from "@/components/catalog/product/country-names";
import { useActorName } from "@/components/console/actor";
import type { Column } from "@/components/console/data-table";
import type { Filter, FilterValues } from "@/components/console/filter-bar";
import { ConsoleLink } from "@/components/console/link";
import { ListScreen } from "@/components/console/list-screen";
import { Pill } from "@/components/console/pill";
import { ShortTime, TimeLeft } from "@/components/console/time";
import { ActionDialog } from "@/components/staff/action-dialog";
import { Button } from "@/components/ui/button";
import { useSurface } from "@/components/ui/surface";
import { TextArea } from "@/components/ui/text-input";
import type {
  ConsoleRefund,
  ConsoleRefundList,
  RefundsApproved,
} from "@/lib/orders/console/contract-refunds";
import { REFUND_LISTS, type RefundListName } from "@/lib/orders/console/rules";
import { formatPrice, toCents } from "@/lib/platform/money";

type Action =
  | { kind: "approve" | "overrule" | "refuse" | "settle"; refund: ConsoleRefund }
  | { kind: "approve_many"; refunds: ConsoleRefund[] };
type Single = Exclude<Action, { kind: "approve_many" }>["kind"];

/** What can be done with a refund of each part of the list. */
const ACTIONS: Record<RefundListName, readonly Single[]> = {
  open: ["approve", "refuse"],
  late: ["approve", "refuse"],
  refused: ["overrule"],
  failed: ["settle"],
};

const passName = ({ product_name, vip_type }: ConsoleRefund) =>
  product_name && [product_name, vip_type].filter(Boolean).join(" · ");

/** The queue of refunds for staff. */
export function ConsoleRefunds({
  list,
  values,
  state,
  tools,
}: {
  list: ConsoleRefundList;
  values: FilterValues;
  state: RefundListName;
  tools: ReactNode;
}) {
  const t = useTranslations("console.refunds");
  const actorName = useActorName();
  const { locale } = useSurface();
  const [action, setAction] = useState<Action>();
  const filters: Filter[] = [
    {
      name: "state",
      label: t("state"),
      kind: "choice",
      first: true,
      anyLabel: t("states.open"),
      options: REFUND_LISTS.filter((name) => name !== "open").map((value) => ({
        value,
        label: t(`states.${value}`),
      })),
    },
    { name: "email", label: t("shopper"), kind: "text", first: true },
    { name: "number", label: t("order"), kind: "text", first: true },
    { name: "vendor", label: t("vendor"), kind: "text" },
  ];
  const columns = useMemo((): Column<ConsoleRefund>[] => {
    const usd = (amount: number) => formatPrice(toCents(amount), locale);
    const why = (refund: ConsoleRefund): ReactNode => {
      if (refund.failure) return t("why_failed", { reason: refund.failure });
      if (refund.decided_by) return t("why_refused", { who: actorName(refund.decided_by) });
      if (refund.stated_country)
        return t("why_country", {
          stated: countryNames([refund.stated_country], locale),
          order: refund.order_country ? countryNames([refund.order_country], locale) : t("country_unknown"),
        });
      return refund.codes_seen > 0
        ? t("why_seen", { seen: refund.codes_seen, codes: refund.codes })
        : t("why_unseen");
    };
    return [
      {
        id: "order",
        header: t("order"),
        main: true,
        oneLine: true,
        cell: ({ order_number }) => (
          <ConsoleLink href={`/console/orders/${order_number}`} className="text-link">
            {order_number}
          </ConsoleLink>
        ),
      },
      {
        id: "left",
        header: state === "failed" ? t("failed_at") : state === "refused" ? t("refused_at") : t("left"),
        cell: ({ answer_by, decided_at, at, disputed }) => (
          <span className="flex flex-wrap gap-1.5">
            {answer_by ? (
              <TimeLeft until={answer_by} late={t("late_by")} />
            ) : (
              <ShortTime at={decided_at ?? at} />
            )}
            {disputed && <Pill tone="bad">{t("disputed")}</Pill>}
          </span>
        ),
      },
      { id: "amount", header: t("amount"), align: "end", cell: ({ amount }) => usd(amount) },
      { id: "pass", header: t("pass"), cell: (refund) => passName(refund) ?? t("whole_order") },
      { id: "vendor", header: t("vendor"), cell: ({ vendor }) => vendor ?? "–" },
      {
        id: "shopper",
        header: t("shopper"),
        cell: ({ email, asked_by }) => (
          <span className="inline-block wrap-anywhere min-[900px]:min-w-40">
            {email}
            {asked_by && <span className="block text-13 text-quiet">{t("asked_by", { who: asked_by })}</span>}
          </span>
        ),
      },
      { id: "why", header: t("why"), cell: why },
      {
        id: "actions",
        header: t("actions"),
        cell: (refund) => (
          <span className="flex flex-wrap gap-2">
            {ACTIONS[state].map((kind) => (
              <Button
                key={kind}
                aria-label={t(`${kind}_name`, { number: refund.order_number })}
                onClick={() => setAction({ kind, refund })}
              >
                {t(kind)}
              </Button>
            ))}
          </span>
        ),
      },
    ];
  }, [t, actorName, locale, state]);
  return (
    <>
      <ListScreen
        name="refunds"
        title={t("title")}
        lead={t("lead")}
        tools={tools}
        list={list}
        values={values}
        filters={filters}
        columns={columns}
        rowId={({ refund_id }) => refund_id}
        rowName={({ order_number }) => order_number}
        href={({ order_number }) => `/console/orders/${order_number}`}
        bulk={
          state === "open" || state === "late"
            ? (refunds) => (
                <Button look="quiet" onClick={() => setAction({ kind: "approve_many", refunds })}>
                  {t("approve_many")}
                </Button>
              )
            : undefined
        }
        empty={t(`empty.${state}`)}
      />
      <RefundDialog action={action} onClose={() => setAction(undefined)} />
    </>
  );
}

/** Asks before a refund is decided, with what it will do. */
function RefundDialog({ action, onClose }: { action: Action | undefined; onClose: () => void }) {
  const t = useTranslations("console.refunds");
  const dialog = useRefundDialog(action);
  return (
    <ActionDialog<RefundsApproved | object>
      open={dialog !== undefined}
      title={dialog?.title ?? ""}
      confirm={dialog?.confirm ?? ""}
      danger
      done={(result) => {
        if (!("approved" in result)) return dialog?.done ?? "";
        const { approved, failed } = result;
        const done = t("approve_many_done", { count: approved });
        return failed.length > 0 ? `${done} · ${t("approve_many_failed", { count: failed.length })}` : done;
      }}
      path={dialog?.path ?? ""}
      body={dialog?.body}
      fields={dialog?.fields}
      onClose={onClose}
    />
  );
}

type DialogText = {
  title: string;
  confirm: string;
  done: string;
  path: string;
  body: (values: FormData) => object;
  fields?: ReactNode;
};

function useRefundDialog(action: Action | undefined): DialogText | undefined {
  const t = useTranslations("console.refunds");
  const { locale } = useSurface();
  if (!action) return undefined;
  const text = (values: FormData, name: string) => String(values.get(name) ?? "").trim();
  const field = (name: string, label: string, hint: string) => (
    <TextArea name={name} label={label} hint={hint} required minLength={3} maxLength={500} rows={3} />
  );
  if (action.kind === "approve_many") {
    const ids = action.refunds.map(({ refund_id }) => refund_id);
    return {
      title: t("approve_many_title", { count: ids.length }),
      confirm: t("approve"),
      done: t("approve_done"),
      path: "/admin/refunds/approve",
      body: () => ({
        refund_ids: ids,
        versions: Object.fromEntries(action.refunds.map(({ refund_id, version }) => [refund_id, version])),
      }),
    };
  }
  const { kind, refund } = action;
  const { version } = refund;
  const amount = formatPrice(toCents(refund.amount), locale);
  const pass = passName(refund) ?? t("whole_order");
  const number = refund.order_number;
  const path = `/admin/refunds/${refund.refund_id}`;
  if (kind === "refuse")
    return {
      title: t("refuse_title", { amount, pass, number }),
      confirm: t("refuse"),
      done: t("refuse_done"),
      path: `${path}/refuse`,
      body: (values) => ({ version, reason: text(values, "reason") }),
      fields: field("reason", t("refuse_reason"), t("refuse_hint")),
    };
  if (kind === "settle")
    return {
      title: t("settle_title", { amount, number }),
      confirm: t("settle"),
      done: t("settle_done"),
      path: `${path}/settle`,
      body: (values) => ({ version, note: text(values, "note") }),
      fields: field("note", t("settle_note"), t("settle_hint")),
    };
  return {
    title: t("approve_title", { amount, pass, number }),
    confirm: t("approve"),
    done: t("approve_done"),
    path: `${path}/approve`,
    body: () => ({ version, overrule: kind === "overrule" }),
  };
}
