import { eq, type SQL, sql } from "drizzle-orm";
import { db, listDb } from "@/db/client";
import { merchants } from "@/db/schema/catalog";
import { memberNameSql } from "@/lib/merchants/states/member-name-sql";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { ID_PATTERN, TIME_PATTERN } from "@/lib/platform/console/cursor";
import {
  type ConsoleListQuery,
  isValue,
  pageSql,
  ROW_MARKS,
  type RowMarks,
  rowCount,
  SCREEN,
  type SortKey,
  toPage,
} from "@/lib/platform/console/query";
import { BROKEN_AFTER_SECONDS } from "@/lib/platform/imports/rules";
import { instant } from "@/lib/platform/instant";
import type {
  ConsoleBatchesInput,
  ConsoleBatchItem,
  ConsoleBatchList,
  KeyBatchesInput,
  KeyBatchItem,
  KeyBatchList,
} from "./contract";
import { type KeyBatchState, WITHDRAWAL_UNDO_HOURS } from "./rules";

/** SQL: the import of batch `b` was interrupted: its process no longer runs. */
export const IS_BROKEN_BATCH = sql`(b.state = 'running' and b.heartbeat_at < shop_now() - make_interval(secs => ${BROKEN_AFTER_SECONDS}))`;

/** Codes and batches are counted to this number in a list. */
const COUNTED = 100;
/** Batches whose codes one statement counts. */
const COUNT_BATCH = 15;
const WALKED_BATCHES = 1_000;

/** SQL: when the withdrawal of batch `b` can no longer be undone; null: there is none. */
const UNDO_ENDS = sql.raw(`(b.withdrawn_at + interval '${WITHDRAWAL_UNDO_HOURS} hours')`);

export const BATCH_COLUMNS = sql`b.id, b.merchant_id, b.name, b.sha256, b.source, b.lines, b.added, b.unchanged, b.refused, b.by, b.created_at,
  case when ${IS_BROKEN_BATCH} then b.heartbeat_at else b.ended_at end as ended_at,
  case when ${IS_BROKEN_BATCH} then 'broken' else b.state end as state,
  case when not b.withdrawn_by_shop and ${UNDO_ENDS} > shop_now() then ${UNDO_ENDS} end as undo_until`;
const BY_NAME = sql`coalesce(${memberNameSql(sql`w.by`)}, w.by)`;
export const BATCH_ITEM = sql`w.id as batch_id, w.name, w.sha256, w.source, w.state, w.lines, w.added, w.unchanged, w.refused,
  w.undo_until, ${BY_NAME} as by, w.created_at as started_at, w.ended_at`;

export type BatchRow = Omit<KeyBatchItem, "counts" | "started_at" | "ended_at" | "state" | "available"> & {
  state: KeyBatchState;
  added: number;
  unchanged: number;
  refused: number;
  started_at: string;
  ended_at: string | null;
};

export const toBatchItem = <R extends BatchRow>({ added, unchanged, refused, ...row }: R) => ({
  ...row,
  counts: { new: added, known: unchanged, refused },
  started_at: instant(row.started_at),
  ended_at: instant(row.ended_at),
  undo_until: instant(row.undo_until),
});

const BY_TIME: readonly SortKey[] = [
  { value: sql`b.created_at`, type: "timestamptz", pattern: TIME_PATTERN },
  { value: sql`b.id`, type: "text", pattern: ID_PATTERN },
];

const MERCHANT_KEY: SortKey = { value: sql`b.merchant_id`, type: "text", pattern: ID_PATTERN };

/** All batches, or those of one merchant. */
const batchListQuery = (merchantId: string | undefined, filters: SQL[] = []): ConsoleListQuery => ({
  from: sql`key_batches b`,
  alias: sql`b`,
  columns: BATCH_COLUMNS,
  indexed: merchantId === undefined ? [] : [isValue(MERCHANT_KEY, merchantId)],
  filters,
  walked: WALKED_BATCHES,
  sort: merchantId === undefined ? BY_TIME : [MERCHANT_KEY, ...BY_TIME],
  at: sql`b.created_at`,
});

/** The available codes of batches, counted to COUNTED in several statements, so that each reads few rows. */
async function countAvailable(ids: readonly string[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (let start = 0; start < ids.length; start += COUNT_BATCH) {
    const rows = await listDb.execute<{ id: string; n: number }>(sql`
      select i.id, (select count(*)::int from
        (select from keys k where k.batch_id = i.id and k.state = 'available' limit ${rowCount(COUNTED)}) a) as n
      from unnest(${sql.param(ids.slice(start, start + COUNT_BATCH))}::text[]) i(id)`);
    for (const { id, n } of rows) counts.set(id, n);
  }
  return counts;
}

async function withAvailable<Item extends { batch_id: string }>(items: readonly Item[]) {
  const counts = await countAvailable(items.map(({ batch_id }) => batch_id));
  return items.map((item) => ({ ...item, available: counts.get(item.batch_id) ?? 0 }));
}

/** The merchant's batches, the newest first. @throws ShopError cursor_invalid */
export async function listKeyBatches(
  { merchant }: MerchantViewer,
  input: KeyBatchesInput,
): Promise<KeyBatchList> {
  const query = batchListQuery(merchant.id);
  const rows = await listDb.execute<BatchRow & RowMarks>(sql`
    with ${pageSql(query, input, SCREEN)}
    select ${BATCH_ITEM}, ${ROW_MARKS} from page w order by w.place`);
  const page = await toPage(query, input, SCREEN, rows, (row) => toBatchItem(row as BatchRow));
  return { ...page, items: await withAvailable(page.items) };
}

export type MerchantColumns = Pick<ConsoleBatchItem, "merchant_id" | "merchant" | "handle">;
export const BATCH_MERCHANT = sql`w.merchant_id, m.name as merchant, m.handle`;

/** The id of a merchant by its handle; an id that matches nothing if there is no such merchant. */
async function findMerchantId(handle: string): Promise<string> {
  const [row] = await db.select({ id: merchants.id }).from(merchants).where(eq(merchants.handle, handle));
  return row?.id ?? "none";
}

/** The batches of all merchants, or of one, for staff. @throws ShopError cursor_invalid */
export async function listConsoleBatches(input: ConsoleBatchesInput): Promise<ConsoleBatchList> {
  const { merchant, state } = input;
  const merchantId = merchant === undefined ? undefined : await findMerchantId(merchant);
  const query = batchListQuery(merchantId, state === undefined ? [] : [sql`b.state = ${state}`]);
  const rows = await listDb.execute<BatchRow & MerchantColumns & RowMarks>(sql`
    with ${pageSql(query, input, SCREEN)}
    select ${BATCH_ITEM}, ${BATCH_MERCHANT}, ${ROW_MARKS} from page w join merchants m on m.id = w.merchant_id order by w.place`);
  const page = await toPage(query, input, SCREEN, rows, (row) =>
    toBatchItem(row as BatchRow & MerchantColumns),
  );
  return { ...page, items: await withAvailable(page.items) };
}
