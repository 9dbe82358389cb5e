import { type SQL, sql } from "drizzle-orm";
import { db, listDb } from "@/db/client";
import type {
  ConsoleDispute,
  ConsoleDisputeDetail,
  ConsoleDisputeList,
  ConsoleDisputesInput,
} from "@/lib/orders/console/contract-disputes";
import { ID_PATTERN, TIME_PATTERN } from "@/lib/platform/console/cursor";
import type { QueueState } from "@/lib/platform/console/list";
import {
  type ConsoleListQuery,
  countQueue,
  type ListSize,
  pageSql,
  ROW_MARKS,
  type RowMarks,
  SCREEN,
  type SortKey,
  toPage,
} from "@/lib/platform/console/query";
import { instant } from "@/lib/platform/instant";
import { toDecimal } from "@/lib/platform/money";
import { listNotes } from "./read-order-parts";

/** Open disputes, the oldest first. */
export const countOpenDisputes = (): Promise<QueueState> =>
  countQueue(sql`select d.created_at as at from disputes d where d.is_open order by d.created_at`);

const ID: SortKey = { value: sql`d.id`, type: "text", pattern: ID_PATTERN };
/** One without a due day is sorted by its opening, because it may be due at any time. */
const BY_DUE: readonly SortKey[] = [
  { value: sql`coalesce(d.evidence_due_at, d.created_at)`, type: "timestamptz", pattern: TIME_PATTERN },
  ID,
];
const BY_TIME: readonly SortKey[] = [
  { value: sql`d.created_at`, type: "timestamptz", pattern: TIME_PATTERN },
  ID,
];

export function disputeListQuery({ state }: ConsoleDisputesInput): ConsoleListQuery {
  const isOpen = state === "open";
  return {
    from: sql`disputes d`,
    alias: sql`d`,
    columns: sql.raw(
      "d.id, d.order_id, d.intent_id, d.amount_cents, d.reason, d.status, d.is_open, d.evidence_due_at, d.created_at, d.closed_at",
    ),
    indexed: [isOpen ? sql`d.is_open` : sql`not d.is_open`],
    filters: [],
    walked: null,
    sort: isOpen ? BY_DUE : BY_TIME,
    ascending: isOpen,
    at: sql`d.created_at`,
  };
}

type Row = Omit<ConsoleDispute, "amount"> & { cents: number };

const columnsOf = (dispute: string): SQL =>
  sql.raw(
    `${dispute}.id as dispute_id, ${dispute}.amount_cents as cents, ${dispute}.reason, ${dispute}.status, ${dispute}.is_open,
      ${dispute}.evidence_due_at, ${dispute}.created_at, ${dispute}.closed_at, ${dispute}.intent_id as transaction_id, o.id as order_id,
      o.order_number, o.status as order_status, u.id as customer_id, u.email`,
  );

const toDispute = ({ cents, ...row }: Row): ConsoleDispute => ({
  ...row,
  amount: toDecimal(cents),
  created_at: instant(row.created_at),
  evidence_due_at: instant(row.evidence_due_at),
  closed_at: instant(row.closed_at),
});

/**
 * A page of disputed payments, with capped total.
 * @throws ShopError cursor_invalid
 */
export async function listConsoleDisputes(
  input: ConsoleDisputesInput,
  size: ListSize = SCREEN,
): Promise<ConsoleDisputeList> {
  const query = disputeListQuery(input);
  const rows = await listDb.execute<Row & RowMarks>(sql`
    with ${pageSql(query, input, size)}
    select ${columnsOf("w")}, ${ROW_MARKS}
    from page w join orders o on o.id = w.order_id join users u on u.id = o.user_id order by w.place`);
  return toPage(query, input, size, rows, toDispute);
}

/** One dispute with the notes about its order; null when there is none. */
export async function findConsoleDispute(id: string): Promise<ConsoleDisputeDetail | null> {
  const [row] = await db.execute<Row>(sql`
    select ${columnsOf("d")} from disputes d join orders o on o.id = d.order_id join users u on u.id = o.user_id where d.id = ${id}`);
  if (!row) return null;
  const notes = await listNotes(row.order_id);
  return {
    ...toDispute(row),
    notes: notes.map((note) => ({ ...note, created_at: instant(note.created_at) })),
  };
}
