import { createHash } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { db, shopNow, type Tx, transaction } from "@/db/client";
import { merchants } from "@/db/schema/catalog";
import { keyBatches } from "@/db/schema/delivery";
import { hasCode, repeatsCode } from "@/lib/delivery/code-text/queries";
import { undoWithdrawal, withdrawKeys } from "@/lib/delivery/commands";
import {
  importKeyList,
  importKeys,
  type KeyImportCounts,
  type KeyImportError,
  type KeyImportOptions,
  type KeyList,
  readKeyFile,
} from "@/lib/delivery/import/commands";
import type { BatchReportLine } from "@/lib/merchants/rules";
import { mailOwners } from "@/lib/merchants/states/commands";
import { audit } from "@/lib/platform/audit";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { countAction } from "@/lib/platform/console/action-limits";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { collectFile, type FileStream, inMemory, openReport, watchFile } from "@/lib/platform/imports/file";
import { writeProgress } from "@/lib/platform/imports/progress";
import { countHeld } from "@/lib/platform/imports/rules";
import { log } from "@/lib/platform/log";
import { runInBackground } from "@/lib/platform/request-scope";
import type {
  KeyBatchStarted,
  KeyFilePreview,
  KeyFileQuery,
  KeyListImportInput,
  KeyListInput,
  KeysPutBack,
  KeysWithdrawn,
  StaffWithdrawInput,
} from "./contract";
import {
  countBatchKeys,
  findBatchOfFile,
  getKeyBatch,
  IS_BROKEN_BATCH,
  isRequestOfBatch,
  toRefusedLines,
} from "./queries";
import { FOREIGN_KEYS_MAX, WITHDRAWAL_UNDO_HOURS } from "./rules";

/** Whether the merchant has confirmed codes that look like numbers or dates. */
type Confirmed = { confirm_held?: boolean | undefined };

/** Codes that a merchant sends: their import, which can be repeated, and what is known of the file. */
type Upload = {
  import: (options: KeyImportOptions) => Promise<KeyImportCounts>;
  /** Whether one of these texts contains one of the codes. */
  isQuoted: (texts: readonly string[]) => Promise<boolean>;
  sha256: string;
  lines: number;
};

const uploadOfFile = (
  chunks: readonly Buffer[],
  content: { sha256: string; lines: number },
  { confirm_held: confirmHeld }: Confirmed,
): Upload => ({
  import: (options) => importKeys(inMemory(chunks), { ...options, confirmHeld }),
  isQuoted: (texts) => repeatsCode(readKeyFile(inMemory(chunks)), texts),
  ...content,
});

function uploadOfList({ plan_id, keys, redeem_by, confirm_held: confirmHeld }: KeyListInput): Upload {
  const list: KeyList = { planId: plan_id, keys, redeemBy: redeem_by ?? null };
  const sha256 = createHash("sha256")
    .update(JSON.stringify([plan_id, redeem_by ?? null, keys]))
    .digest("hex");
  async function* codes() {
    for (const key of keys) yield { key };
  }
  return {
    import: (options) => importKeyList(list, { ...options, confirmHeld }),
    isQuoted: (texts) => repeatsCode(codes(), texts),
    sha256,
    lines: keys.length,
  };
}

/** A refused line as a report keeps it. Every reason of an import of codes has a name. */
const toReportLine = ({ line, error = "line_refused", values }: KeyImportError): BatchReportLine => ({
  line,
  error,
  ...(values && { values }),
});

/** Runs an import that writes nothing, and answers its counts and refused lines. */
async function dryImport(
  { merchant }: MerchantViewer,
  run: Upload["import"],
  { knowsForeign = false } = {},
): Promise<{ counts: KeyImportCounts; report: BatchReportLine[] }> {
  const { report, onRefused } = openReport<BatchReportLine>();
  const counts = await runInBackground(() =>
    run({
      preview: true,
      owner: { merchantId: merchant.id, batchId: null, knowsForeign },
      onStock: async () => {},
      onRefused: (refusal) => onRefused(toReportLine(refusal)),
    }),
  );
  return { counts, report: report() };
}

/**
 * What an import of the file would do, line by line. The file is read once as a stream and not kept; nothing is written or
 * locked. Only plans of the merchant's own products exist for it.
 */
export async function previewKeyFile(
  viewer: MerchantViewer,
  file: FileStream,
  locale: Locale,
  { confirm_held: confirmHeld }: Confirmed = {},
): Promise<KeyFilePreview> {
  const watched = watchFile(file);
  const result = await dryImport(viewer, (options) =>
    importKeys(watched.content(), { ...options, confirmHeld }),
  );
  return toPreview(viewer, { ...(await watched.end()), ...result }, locale);
}

/** The same for a list of codes of one plan. */
export async function previewKeyList(
  viewer: MerchantViewer,
  input: KeyListInput,
  locale: Locale,
): Promise<KeyFilePreview> {
  const upload = uploadOfList(input);
  return toPreview(viewer, { ...upload, ...(await dryImport(viewer, upload.import)) }, locale);
}

async function toPreview(
  viewer: MerchantViewer,
  result: { sha256: string; lines: number; counts: KeyImportCounts; report: BatchReportLine[] },
  locale: Locale,
): Promise<KeyFilePreview> {
  const { sha256, lines, report } = result;
  const { added, unchanged, refused } = result.counts;
  const batch = await findBatchOfFile(viewer, sha256);
  return {
    sha256,
    lines,
    counts: { new: added, known: unchanged, refused },
    refused: toRefusedLines(report, locale),
    held: countHeld(report),
    batch_id: batch?.id ?? null,
  };
}

/** `onStock`: lets orders know that wait for codes (lib/orders/fulfilment), which this noun does not import. */
type ImportContext = { locale: Locale; onStock: KeyImportOptions["onStock"] };

/**
 * Imports the file that was previewed, in the background: nothing is written before its hash is known. The same file again
 * joins an import that runs, goes on with one that broke, and changes nothing after one that left nothing to add.
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

/** The name of a batch without a file, and what its custody says when a program tells nothing. */
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
      on conflict (merchant_id, sha256) do update set state = 'running', beat_at = shop_now(), ended_at = null,
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
      .set({ ...counts, beatAt: shopNow })
      .where(isBatch),
  );
  let state: "done" | "failed" = "done";
  try {
    const owner = {
      merchantId: merchant.id,
      batchId: id,
      limitForeign: (tx: Tx, found: number) => limitForeign(tx, viewer, found),
    };
    const tell: KeyImportOptions["onRefused"] = (refusal) => onRefused(toReportLine(refusal));
    onProgress(await upload.import({ actor, owner, onStock, onRefused: tell, onProgress }));
  } catch (error) {
    state = "failed";
    log.error({ err: error, id }, "import of codes failed");
  }
  await progress.stop();
  try {
    await transaction(async (tx) => {
      const ended = { state, ...counts, report: report(), endedAt: shopNow, beatAt: shopNow };
      await tx.update(keyBatches).set(ended).where(isBatch);
      const detail = { merchant: merchant.id, sha256: upload.sha256, ...counts };
      await audit({ actor, action: `key_batch.${state}`, subject: id, detail }, tx);
    });
  } catch (error) {
    log.error({ err: error, id }, "end of an import of codes not written");
  }
}

/** Codes that one transaction withdraws or puts back: their rows are locked, and orders wait for them. */
const CODES_AT_ONCE = 500;

/** Moves codes in transactions of CODES_AT_ONCE until there are none left; returns how many. */
async function moveInParts(move: (tx: Tx) => Promise<number>): Promise<number> {
  let moved = 0;
  for (;;) {
    const count = await runInBackground(() => transaction(move));
    moved += count;
    if (count < CODES_AT_ONCE) return moved;
  }
}

/**
 * Withdraws the unsold codes of a batch, in transactions that each write their entry of the audit log, and mails the owners. Codes
 * that orders hold stay theirs. What a merchant withdraws it can put back on sale for a day (`undoBatchWithdrawal`); what staff
 * withdraw stays so. `request_id`: the request for another code that shows staff that the batch is bad. A preview counts,
 * because a dry run would lock the codes against orders, and fail where one is sold meanwhile.
 * @throws ShopError key_batch_unknown, key_batch_runs, replacement_unknown: the request is about no code of the batch
 */
export async function withdrawBatch(
  viewer: MerchantViewer | StaffViewer,
  id: string,
  { preview, request_id: requestId }: StaffWithdrawInput,
): Promise<KeysWithdrawn> {
  const merchantId = viewer.kind === "merchant" ? viewer.merchant.id : null;
  const actor = viewer.kind === "merchant" ? viewer.actor : viewer.userId;
  const before = await countBatchKeys(id, merchantId);
  if (before.running) throw new ShopError("key_batch_runs");
  if (requestId !== undefined && !(await isRequestOfBatch(requestId, id)))
    throw new ShopError("replacement_unknown");
  const answer = { batch_id: id, preview, reserved: before.reserved };
  if (preview) return { ...answer, withdrawn: before.available, undo_until: null };
  if (viewer.kind !== "merchant") await countAction(viewer, "batch.withdraw");
  const byShop = merchantId === null;
  let isFirst = true;
  const withdrawn = await moveInParts(async (tx) => {
    // Withdrawals of a batch and their undoing wait for each other.
    await tx.execute(sql`select 1 from key_batches where id = ${id} for update`);
    const taken = await withdrawKeys(tx, { batchId: id, actor, limit: CODES_AT_ONCE });
    if (taken === 0) return 0;
    await tx
      .update(keyBatches)
      .set({ withdrawnAt: shopNow, ...(byShop && { withdrawnByShop: true }) })
      .where(eq(keyBatches.id, id));
    await audit(
      { actor, action: "key_batch.withdrawn", subject: id, detail: { withdrawn: taken, requestId } },
      tx,
    );
    // With the first part, so that no crash between two leaves the owners without the email.
    const all = taken < CODES_AT_ONCE ? taken : before.available;
    if (isFirst) await mailWithdrawal(tx, id, { actor, byShop, withdrawn: all });
    isFirst = false;
    return taken;
  });
  const after = await countBatchKeys(id, merchantId);
  return { ...answer, withdrawn, reserved: after.reserved, undo_until: byShop ? null : after.undo_until };
}

/** Tells the owners of a batch's merchant that its codes were withdrawn, by whom, and how to put them back on sale. */
async function mailWithdrawal(
  tx: Tx,
  batchId: string,
  { actor, byShop, withdrawn }: { actor: string; byShop: boolean; withdrawn: number },
): Promise<void> {
  const [batch] = await tx
    .select({ merchantId: keyBatches.merchantId })
    .from(keyBatches)
    .where(eq(keyBatches.id, batchId));
  const refs = { batchId, actor: byShop ? "" : actor, withdrawn };
  await mailOwners(tx, batch!.merchantId, { event: "codes-withdrawn", refs });
}

/**
 * Puts the codes of a batch back on sale that its merchant withdrew within a day. Each goes back once; those that were sold or
 * replaced are none of them.
 * @throws ShopError key_batch_unknown, withdrawal_by_shop, withdrawal_final: no code of it can be put back
 */
export async function undoBatchWithdrawal(
  viewer: MerchantViewer,
  id: string,
  onStock: KeyImportOptions["onStock"],
): Promise<KeysPutBack> {
  const { merchant, actor } = viewer;
  const restored = await moveInParts(async (tx) => {
    const [batch] = await tx
      .select({ byShop: keyBatches.withdrawnByShop })
      .from(keyBatches)
      .where(and(eq(keyBatches.id, id), eq(keyBatches.merchantId, merchant.id)))
      .for("update");
    if (!batch) throw new ShopError("key_batch_unknown");
    if (batch.byShop) throw new ShopError("withdrawal_by_shop");
    const planIds = await undoWithdrawal(tx, {
      batchId: id,
      hours: WITHDRAWAL_UNDO_HOURS,
      actor,
      limit: CODES_AT_ONCE,
    });
    if (planIds.length < CODES_AT_ONCE)
      await tx.update(keyBatches).set({ withdrawnAt: null }).where(eq(keyBatches.id, id));
    if (planIds.length === 0) return 0;
    await onStock(tx, [...new Set(planIds)]);
    const detail = { restored: planIds.length };
    await audit({ actor, action: "key_batch.put_back", subject: id, detail }, tx);
    return planIds.length;
  });
  if (restored === 0) throw new ShopError("withdrawal_final");
  return { batch_id: id, restored };
}
