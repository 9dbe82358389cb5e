import { eq, sql } from "drizzle-orm";
import { db, shopNow, type Tx, transaction } from "@/db/client";
import { merchants } from "@/db/schema/catalog";
import { keyBatches } from "@/db/schema/delivery";
import { hasCode } from "@/lib/delivery/code-text/find-codes";
import type { KeyImportCounts, KeyImportOptions } from "@/lib/delivery/import/import-options";
import type { BatchReportLine } from "@/lib/merchants/rules";
import { audit } from "@/lib/platform/audit";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { collectFile, type FileStream, openReport, watchFile } from "@/lib/platform/imports/file";
import { writeProgress } from "@/lib/platform/imports/progress";
import { log } from "@/lib/platform/log";
import { runInBackground } from "@/lib/platform/request-scope";
import type { KeyBatchStarted, KeyFileQuery, KeyListImportInput } from "./contract";
import { findBatchOfFile, getKeyBatch } from "./get-key-batch";
import { IS_BROKEN_BATCH } from "./list-key-batches";
import { dryImport, toReportLine, type Upload, uploadOfFile, uploadOfList } from "./read-upload";
import { FOREIGN_KEYS_MAX } from "./rules";

/** `onStock`: lets orders know that wait for codes (lib/orders/fulfilment), which this noun does not import. */
type ImportContext = { locale: Locale; onStock: KeyImportOptions["onStock"] };

/**
 * Imports the file that was previewed, in the background: nothing is written before its hash is known. The same file
 * joins a running import, continues an interrupted one, and changes nothing after a complete one.
 * @throws ShopError import_file_differs, statement_has_code, keys_stopped
 */
export async function importKeyFile(
  viewer: MerchantViewer,
  file: FileStream,
  { sha256, confirm_held, ...origin }: KeyFileQuery,
  { locale, onStock }: ImportContext,
): Promise<KeyBatchStarted> {
  const watched = watchFile(file);
  const chunks = await collectFile(watched.content());
  const content = await watched.end();
  if (content.sha256 !== sha256) throw new ShopError("import_file_differs");
  const upload = uploadOfFile(chunks, content, { confirm_held });
  const { id, started } = await startBatch(viewer, upload, origin);
  if (started) runInBackground(() => void execute(viewer, id, upload, onStock));
  return { ...(await getKeyBatch(viewer, id, locale)), started };
}

/** The name of a batch without a file, and its origin when a program states none. */
const API_NAME = "API";
const API_STATEMENT = "Sent over the API without a statement.";

/**
 * Imports a list of codes of one plan, before the call is answered. The same list again changes nothing.
 * @throws ShopError statement_has_code, keys_stopped
 */
export async function importKeysOfPlan(
  viewer: MerchantViewer,
  { source, statement = API_STATEMENT, ...list }: KeyListImportInput,
  { locale, onStock }: ImportContext,
): Promise<KeyBatchStarted> {
  const upload = uploadOfList(list);
  const { id, started } = await startBatch(viewer, upload, { name: API_NAME, source, statement });
  if (started) await runInBackground(() => execute(viewer, id, upload, onStock));
  return { ...(await getKeyBatch(viewer, id, locale)), started };
}

type Origin = Pick<KeyFileQuery, "name" | "source" | "statement">;

/**
 * The batch of the file, and whether its import starts now. A batch keeps the source and statement of its beginning, because
 * they are part of the custody of its codes.
 */
async function startBatch(
  viewer: MerchantViewer,
  upload: Upload,
  origin: Origin,
): Promise<{ id: string; started: boolean }> {
  await requireTakesKeys(viewer);
  const texts = [origin.name, origin.statement];
  if (
    (await hasCode(db, texts.join("\n"), { merchantId: viewer.merchant.id })) ||
    (await upload.isQuoted(texts))
  )
    throw new ShopError("statement_has_code");
  const { sha256, lines } = upload;
  const done = await findBatchOfFile(viewer, sha256);
  const left = async () => (await dryImport(viewer, upload.import, { knowsForeign: true })).counts.added;
  if (done?.state === "done" && (await left()) === 0) return { id: done.id, started: false };
  return transaction(async (tx) => {
    const id = newId("kb");
    const { merchant, actor } = viewer;
    const [row] = await tx.execute<{ id: string }>(sql`
      insert into key_batches as b (id, merchant_id, sha256, name, source, statement, lines, by)
      values (${id}, ${merchant.id}, ${sha256}, ${origin.name}, ${origin.source}, ${origin.statement}, ${lines}, ${actor})
      on conflict (merchant_id, sha256) do update set state = 'running', heartbeat_at = shop_now(), ended_at = null,
        added = 0, unchanged = 0, refused = 0, report = '[]'
      where b.state <> 'running' or ${IS_BROKEN_BATCH}
      returning b.id`);
    if (!row) return { id: (await findBatchOfFile(viewer, sha256, tx))!.id, started: false };
    const { name, source } = origin;
    const detail = { merchant: merchant.id, name, sha256, ...(row.id === id && { source }) };
    const action = row.id === id ? "key_batch.started" : "key_batch.continued";
    await audit({ actor, action, subject: row.id, detail }, tx);
    return { id: row.id, started: true };
  });
}

/** @throws ShopError keys_stopped: too many of its codes were those of others */
async function requireTakesKeys({ merchant }: MerchantViewer): Promise<void> {
  const [row] = await db
    .select({ stoppedAt: merchants.keysStoppedAt })
    .from(merchants)
    .where(eq(merchants.id, merchant.id));
  if (row?.stoppedAt) throw new ShopError("keys_stopped");
}

/**
 * Counts codes of others that a merchant sends. One that sends `FOREIGN_KEYS_MAX` adds no more codes until staff allow it, and
 * administrators find it on their Today page. Answers how many may still be refused by their line; below 0: nothing is taken.
 */
async function limitForeign(tx: Tx, { merchant, actor }: MerchantViewer, found: number): Promise<number> {
  const isMerchant = eq(merchants.id, merchant.id);
  const read = tx
    .select({ foreign: merchants.foreignKeys, stoppedAt: merchants.keysStoppedAt })
    .from(merchants)
    .where(isMerchant);
  const [row] = await (found > 0 ? read.for("no key update") : read);
  if (!row || row.stoppedAt) return -1;
  const left = FOREIGN_KEYS_MAX - row.foreign;
  if (found === 0) return left;
  const stops = found >= left;
  const foreignKeys = row.foreign + Math.min(found, left);
  await tx
    .update(merchants)
    .set({ foreignKeys, ...(stops && { keysStoppedAt: shopNow }) })
    .where(isMerchant);
  const action = stops ? "merchant.keys_stopped" : "merchant.foreign_keys";
  await audit({ actor, action, subject: merchant.id, detail: { foreign: foreignKeys } }, tx);
  return left;
}

/** Runs an import to its end, and writes how it ended. One that cannot even write that is found by its missing beat. */
async function execute(
  viewer: MerchantViewer,
  id: string,
  upload: Upload,
  onStock: KeyImportOptions["onStock"],
): Promise<void> {
  const { merchant, actor } = viewer;
  const { report, onRefused } = openReport<BatchReportLine>();
  const isBatch = eq(keyBatches.id, id);
  let counts: KeyImportCounts = { added: 0, unchanged: 0, refused: 0 };
  const onProgress = (soFar: KeyImportCounts) => {
    counts = { ...soFar };
  };
  const progress = writeProgress(id, () =>
    db
      .update(keyBatches)
      .set({ ...counts, heartbeatAt: shopNow })
      .where(isBatch),
  );
  let state: "done" | "failed" = "done";
  try {
    const owner = {
      merchantId: merchant.id,
      batchId: id,
      limitForeign: (tx: Tx, found: number) => limitForeign(tx, viewer, found),
    };
    const reportRefusal: KeyImportOptions["onRefused"] = (refusal) => onRefused(toReportLine(refusal));
    onProgress(await upload.import({ actor, owner, onStock, onRefused: reportRefusal, onProgress }));
  } catch (error) {
    state = "failed";
    log.error({ err: error, id }, "code import failed");
  }
  await progress.stop();
  try {
    await transaction(async (tx) => {
      const ended = { state, ...counts, report: report(), endedAt: shopNow, heartbeatAt: shopNow };
      await tx.update(keyBatches).set(ended).where(isBatch);
      const detail = { merchant: merchant.id, sha256: upload.sha256, ...counts };
      await audit({ actor, action: `key_batch.${state}`, subject: id, detail }, tx);
    });
  } catch (error) {
    log.error({ err: error, id }, "result of a code import not stored");
  }
}
