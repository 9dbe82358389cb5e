import { and, eq, sql } from "drizzle-orm";
import { type Db, db } from "@/db/client";
import { keyBatches } from "@/db/schema/delivery";
import type { MailProps } from "@/emails/render";
import type { BatchReportLine } from "@/lib/merchants/rules";
import { memberNameSql } from "@/lib/merchants/states/member-name-sql";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { csvLine } from "@/lib/platform/console/csv";
import { errorMessage } from "@/lib/platform/error-messages";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { instant } from "@/lib/platform/instant";
import { supportAddress } from "@/lib/platform/support-address";
import type { ConsoleBatch, KeyBatch, RefusedKeyLine } from "./contract";
import {
  BATCH_COLUMNS,
  BATCH_ITEM,
  BATCH_MERCHANT,
  type BatchRow,
  type MerchantColumns,
  toBatchItem,
} from "./list-key-batches";

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
    select ${KEY_COUNTS}, w.state = 'running' as running, w.undo_until from (select ${BATCH_COLUMNS} from key_batches b
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
    from (select ${BATCH_COLUMNS} from key_batches b where b.id = ${batchId}) w join merchants m on m.id = w.merchant_id`);
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

type FullRow = BatchRow & BatchKeys & MerchantColumns & { statement: string; report: BatchReportLine[] };

async function readBatch(id: string, merchantId: string | null, locale: Locale): Promise<ConsoleBatch> {
  const [row] = await db.execute<FullRow>(sql`
    select ${BATCH_ITEM}, ${BATCH_MERCHANT}, w.statement, w.report, ${KEY_COUNTS}
    from (select ${BATCH_COLUMNS}, b.statement, b.report from key_batches b
      where b.id = ${id} and (${merchantId}::text is null or b.merchant_id = ${merchantId})) w
    join merchants m on m.id = w.merchant_id`);
  if (!row) throw new ShopError("key_batch_unknown");
  const { report, ...rest } = row;
  const { sold, replaced } = rest;
  const replaced_share = sold === 0 ? null : Math.round((replaced / sold) * 10_000) / 10_000;
  return { ...toBatchItem(rest), replaced_share, refused: toRefusedLines(report, locale) };
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
