import { and, eq, type SQL, sql } from "drizzle-orm";
import { type Db, db, listDb } from "@/db/client";
import { merchants } from "@/db/schema/catalog";
import { keyBatches } from "@/db/schema/delivery";
import type { MailProps } from "@/emails/render";
import type { BatchReportLine } from "@/lib/merchants/rules";
import { memberNameSql } from "@/lib/merchants/states/queries";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { csvLine } from "@/lib/platform/console/csv";
import { ID_PATTERN, TIME_PATTERN } from "@/lib/platform/console/cursor";
import {
  isValue,
  type ListPlan,
  pageSql,
  ROW_MARKS,
  type RowMarks,
  rowCount,
  SCREEN,
  type SortKey,
  toPage,
} from "@/lib/platform/console/query";
import { errorMessage } from "@/lib/platform/error-messages";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { BROKEN_AFTER_SECONDS } from "@/lib/platform/imports/rules";
import { instant } from "@/lib/platform/instant";
import { supportAddress } from "@/lib/platform/support-address";
import type {
  ConsoleBatch,
  ConsoleBatchesInput,
  ConsoleBatchItem,
  ConsoleBatchList,
  KeyBatch,
  KeyBatchesInput,
  KeyBatchItem,
  KeyBatchList,
  RefusedKeyLine,
} from "./contract";
import { type KeyBatchState, WITHDRAWAL_UNDO_HOURS } from "./rules";

/** SQL: the import of batch `b` runs no longer, although nothing has ended it. */
export const IS_BROKEN_BATCH = sql`(b.state = 'running' and b.beat_at < shop_now() - make_interval(secs => ${BROKEN_AFTER_SECONDS}))`;

/** Refused lines with their reasons in a language. */
export const toRefusedLines = (report: readonly BatchReportLine[], locale: Locale): RefusedKeyLine[] =>
  report.map(({ line, error, values }) => ({
    line,
    reason: error,
    message: errorMessage(error, locale, values),
  }));

/** The merchant's batch of a file with this content. */
export async function findBatchOfFile(
  { merchant }: MerchantViewer,
  sha256: string,
  tx: Db = db,
): Promise<{ id: string; state: string } | undefined> {
  const [row] = await tx
    .select({ id: keyBatches.id, state: keyBatches.state })
    .from(keyBatches)
    .where(and(eq(keyBatches.merchantId, merchant.id), eq(keyBatches.sha256, sha256)));
  return row;
}

/** Codes and batches are counted to this number in a list. */
const COUNTED = 100;
/** Batches whose codes one statement counts. */
const COUNT_BATCH = 15;
const WALKED_BATCHES = 1_000;

/** SQL: when the withdrawal of batch `b` can no longer be undone; null: there is none. */
const UNDO_ENDS = sql.raw(`(b.withdrawn_at + interval '${WITHDRAWAL_UNDO_HOURS} hours')`);

const COLUMNS = sql`b.id, b.merchant_id, b.name, b.sha256, b.source, b.lines, b.added, b.unchanged, b.refused, b.by, b.created_at,
  case when ${IS_BROKEN_BATCH} then b.beat_at else b.ended_at end as ended_at,
  case when ${IS_BROKEN_BATCH} then 'broken' else b.state end as state,
  case when not b.withdrawn_by_shop and ${UNDO_ENDS} > shop_now() then ${UNDO_ENDS} end as undo_until`;
const BY_NAME = sql`coalesce(${memberNameSql(sql`w.by`)}, w.by)`;
const ITEM = sql`w.id as batch_id, w.name, w.sha256, w.source, w.state, w.lines, w.added, w.unchanged, w.refused,
  w.undo_until, ${BY_NAME} as by, w.created_at as started_at, w.ended_at`;

type Row = Omit<KeyBatchItem, "counts" | "started_at" | "ended_at" | "state" | "available"> & {
  state: KeyBatchState;
  added: number;
  unchanged: number;
  refused: number;
  started_at: string;
  ended_at: string | null;
};

const toItem = <R extends Row>({ added, unchanged, refused, ...row }: R) => ({
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
const planBatches = (merchantId: string | undefined, filters: SQL[] = []): ListPlan => ({
  from: sql`key_batches b`,
  alias: sql`b`,
  columns: COLUMNS,
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
  const plan = planBatches(merchant.id);
  const rows = await listDb.execute<Row & RowMarks>(sql`
    with ${pageSql(plan, input, SCREEN)}
    select ${ITEM}, ${ROW_MARKS} from page w order by w.place`);
  const page = await toPage(plan, input, SCREEN, rows, (row) => toItem(row as Row));
  return { ...page, items: await withAvailable(page.items) };
}

type MerchantColumns = Pick<ConsoleBatchItem, "merchant_id" | "merchant" | "handle">;
const MERCHANT = sql`w.merchant_id, m.name as merchant, m.handle`;

/** The id of a merchant by its handle; one that no merchant has, if there is none. */
async function findMerchantId(handle: string): Promise<string> {
  const [row] = await db.select({ id: merchants.id }).from(merchants).where(eq(merchants.handle, handle));
  return row?.id ?? "none";
}

/** The batches of all merchants, or of one, for staff. @throws ShopError cursor_invalid */
export async function listConsoleBatches(input: ConsoleBatchesInput): Promise<ConsoleBatchList> {
  const { merchant, state } = input;
  const merchantId = merchant === undefined ? undefined : await findMerchantId(merchant);
  const plan = planBatches(merchantId, state === undefined ? [] : [sql`b.state = ${state}`]);
  const rows = await listDb.execute<Row & MerchantColumns & RowMarks>(sql`
    with ${pageSql(plan, input, SCREEN)}
    select ${ITEM}, ${MERCHANT}, ${ROW_MARKS} from page w join merchants m on m.id = w.merchant_id order by w.place`);
  const page = await toPage(plan, input, SCREEN, rows, (row) => toItem(row as Row & MerchantColumns));
  return { ...page, items: await withAvailable(page.items) };
}

type BatchKeys = { available: number; reserved: number; sold: number; replaced: number; withdrawn: number };
type BatchCounts = BatchKeys & { running: boolean; undo_until: string | null };

/** SQL: the codes of batch `w` by what became of them. Only a code that was never bound to an order can be withdrawn. */
const KEY_COUNTS = sql`
  (select count(*)::int from keys k where k.batch_id = w.id and k.state = 'available') as available,
  (select count(*)::int from keys k where k.batch_id = w.id and k.state = 'reserved') as reserved,
  (select count(*)::int from keys k where k.batch_id = w.id and k.state in ('assigned', 'quarantined', 'revoked')
    and k.order_line_id is not null) as sold,
  (select count(*)::int from keys k join replacement_requests r on r.key_id = k.id and r.state = 'approved'
    where k.batch_id = w.id) as replaced,
  (select count(*)::int from keys k where k.batch_id = w.id and k.state = 'revoked' and k.order_line_id is null) as withdrawn`;

/**
 * The codes of a batch, of this merchant unless null.
 * @throws ShopError key_batch_unknown
 */
export async function countBatchKeys(id: string, merchantId: string | null): Promise<BatchCounts> {
  const [row] = await db.execute<BatchCounts>(sql`
    select ${KEY_COUNTS}, w.state = 'running' as running, w.undo_until from (select ${COLUMNS} from key_batches b
      where b.id = ${id} and (${merchantId}::text is null or b.merchant_id = ${merchantId})) w`);
  if (!row) throw new ShopError("key_batch_unknown");
  return { ...row, undo_until: instant(row.undo_until) };
}

/** The email to an owner about withdrawn codes of a batch. `actor`: who of the merchant withdrew them; empty: staff. */
export async function findWithdrawalMail(
  batchId: string,
  actor: string,
  withdrawn: number,
): Promise<MailProps["codes-withdrawn"] | null> {
  const [row] = await db.execute<{
    name: string;
    handle: string;
    by: string | null;
    undo_until: string | null;
  }>(sql`
    select w.name, m.handle, ${memberNameSql(sql`${actor}`)} as by, w.undo_until
    from (select ${COLUMNS} from key_batches b where b.id = ${batchId}) w join merchants m on m.id = w.merchant_id`);
  if (!row) return null;
  const { name, handle, by, undo_until } = row;
  const undoUntil = undo_until === null ? null : new Date(undo_until);
  return { handle, batchId, batch: name, by, withdrawn, undoUntil, support: supportAddress() };
}

/** Whether a request for another code is about one of the batch. */
export async function isRequestOfBatch(requestId: string, batchId: string): Promise<boolean> {
  const found = await db.execute(sql`
    select 1 from replacement_requests r join keys k on k.id = r.key_id where r.id = ${requestId} and k.batch_id = ${batchId}`);
  return found.length > 0;
}

type FullRow = Row & BatchKeys & MerchantColumns & { statement: string; report: BatchReportLine[] };

async function readBatch(id: string, merchantId: string | null, locale: Locale): Promise<ConsoleBatch> {
  const [row] = await db.execute<FullRow>(sql`
    select ${ITEM}, ${MERCHANT}, w.statement, w.report, ${KEY_COUNTS}
    from (select ${COLUMNS}, b.statement, b.report from key_batches b
      where b.id = ${id} and (${merchantId}::text is null or b.merchant_id = ${merchantId})) w
    join merchants m on m.id = w.merchant_id`);
  if (!row) throw new ShopError("key_batch_unknown");
  const { report, ...rest } = row;
  const { sold, replaced } = rest;
  const replaced_share = sold === 0 ? null : Math.round((replaced / sold) * 10_000) / 10_000;
  return { ...toItem(rest), replaced_share, refused: toRefusedLines(report, locale) };
}

/** A batch of the merchant with its codes and refused lines. @throws ShopError key_batch_unknown */
export const getKeyBatch = ({ merchant }: MerchantViewer, id: string, locale: Locale): Promise<KeyBatch> =>
  readBatch(id, merchant.id, locale);

/** A batch of any merchant, for staff. @throws ShopError key_batch_unknown */
export const getConsoleBatch = (id: string, locale: Locale): Promise<ConsoleBatch> =>
  readBatch(id, null, locale);

/** The refused lines of a batch as CSV: numbers and reasons. @throws ShopError key_batch_unknown */
export async function refusedKeysCsv(viewer: MerchantViewer, id: string, locale: Locale): Promise<string> {
  const { refused } = await getKeyBatch(viewer, id, locale);
  const rows = refused.map(({ line, reason, message }) => csvLine([line, reason, message]));
  return `\ufeff${csvLine(["line", "reason", "message"])}${rows.join("")}`;
}
