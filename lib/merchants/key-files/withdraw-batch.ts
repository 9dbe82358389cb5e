import { and, eq, sql } from "drizzle-orm";
import { shopNow, type Tx, transaction } from "@/db/client";
import { keyBatches } from "@/db/schema/delivery";
import type { KeyImportOptions } from "@/lib/delivery/import/import-options";
import { undoWithdrawal, withdrawKeys } from "@/lib/delivery/withdraw-keys";
import { mailOwners } from "@/lib/merchants/states/change-state";
import { audit } from "@/lib/platform/audit";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { countAction } from "@/lib/platform/console/action-limits";
import { ShopError } from "@/lib/platform/errors";
import { runInBackground } from "@/lib/platform/request-scope";
import type { KeysPutBack, KeysWithdrawn, StaffWithdrawInput } from "./contract";
import { countBatchKeys, isRequestOfBatch } from "./get-key-batch";
import { WITHDRAWAL_UNDO_HOURS } from "./rules";

/** Codes that one transaction withdraws or puts back: their rows are locked, and orders wait for them. */
const CODES_AT_ONCE = 500;

/** Moves codes in transactions of CODES_AT_ONCE until none are left. Returns their number. */
async function moveInParts(move: (tx: Tx) => Promise<number>): Promise<number> {
  let moved = 0;
  for (;;) {
    const count = await runInBackground(() => transaction(move));
    moved += count;
    if (count < CODES_AT_ONCE) return moved;
  }
}

/**
 * Withdraws the unsold codes of a batch, in transactions that each write their entry of the audit log, and mails the
 * owners. Codes that orders hold are withdrawn when their order lets go of them (`withdrawReturned`). A merchant can undo its
 * own withdrawal for a day (`undoBatchWithdrawal`); one by staff is final, also where the merchant has withdrawn everything.
 * `request_id`: the request for another code that shows staff that the
 * batch is bad. A preview counts, because a dry run would lock the codes against orders, and fail where one is sold
 * meanwhile.
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
  if (preview) return { ...answer, withdrawn: before.available, undo_until: before.undo_until };
  if (viewer.kind !== "merchant") await countAction(viewer, "batch.withdraw");
  const byShop = merchantId === null;
  let isFirst = true;
  const withdrawn = await moveInParts(async (tx) => {
    // Withdrawals of a batch and their undoing wait for each other.
    const [batch] = await tx
      .select({ at: keyBatches.withdrawnAt, byShop: keyBatches.withdrawnByShop })
      .from(keyBatches)
      .where(eq(keyBatches.id, id))
      .for("update");
    const taken = await withdrawKeys(tx, { batchId: id, actor, limit: CODES_AT_ONCE });
    const isMarked = byShop ? batch!.byShop : batch!.at !== null || before.reserved === 0;
    if (taken === 0 && isMarked) return 0;
    await tx
      .update(keyBatches)
      .set({ withdrawnAt: shopNow, ...(byShop && { withdrawnByShop: true }) })
      .where(eq(keyBatches.id, id));
    await audit(
      { actor, action: "key_batch.withdrawn", subject: id, detail: { withdrawn: taken, requestId } },
      tx,
    );
    // Queued with the first part, so that the owners get the email even after a crash between two parts.
    const all = taken < CODES_AT_ONCE ? taken : before.available;
    // What the merchant had withdrawn itself it can no longer put back.
    const final = byShop && before.undo_until !== null ? before.withdrawn : 0;
    if (isFirst && all + final > 0) await mailWithdrawal(tx, id, { actor, byShop, withdrawn: all || final });
    isFirst = false;
    return taken;
  });
  const after = await countBatchKeys(id, merchantId);
  return { ...answer, withdrawn, reserved: after.reserved, undo_until: byShop ? null : after.undo_until };
}

/** Mails the owners that codes of a batch were withdrawn, by whom, and how to put them back on sale. */
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
 * Puts codes of a batch back on sale that its merchant withdrew within the last day. Each code is put back at most
 * once, and none that was sold or replaced.
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
      .select({
        byShop: keyBatches.withdrawnByShop,
        isOpen: sql<boolean>`coalesce(${keyBatches.withdrawnAt} > shop_now() - make_interval(hours => ${WITHDRAWAL_UNDO_HOURS}), false)`,
      })
      .from(keyBatches)
      .where(and(eq(keyBatches.id, id), eq(keyBatches.merchantId, merchant.id)))
      .for("update");
    if (!batch) throw new ShopError("key_batch_unknown");
    if (batch.byShop) throw new ShopError("withdrawal_by_shop");
    if (!batch.isOpen) return 0;
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
