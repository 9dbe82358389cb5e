import { sql } from "drizzle-orm";
import { type Tx, transaction } from "@/db/client";
import { replacementRequests } from "@/db/schema/delivery";
import type { ReplaceKeyInput, ReplacementRequested } from "@/lib/delivery/contract";
import { KEY_VERSION } from "@/lib/delivery/library/key-state-sql";
import { lockOrderKey, lockViewerKey } from "@/lib/delivery/lock-key";
import { audit } from "@/lib/platform/audit";
import type { StaffViewer, UserViewer } from "@/lib/platform/auth/session";
import { requireShownRow } from "@/lib/platform/console/query";
import type { SeenVersion } from "@/lib/platform/console/version";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";
import { queueCodeRequest } from "./queue-code-request";

/**
 * Requests another code for one that does not work (docs/product.md#83-delivery); staff decide. One open request at a
 * time; a refused one can be requested again.
 * @throws ShopError key_unknown, key_frozen, replacement_asked
 */
export async function requestReplacement(
  viewer: UserViewer,
  input: ReplaceKeyInput,
): Promise<ReplacementRequested> {
  return transaction(async (tx) => {
    const key = await lockViewerKey(tx, viewer, input.library_id);
    const { askedAt } = await insertRequest(tx, key.id, {
      userId: viewer.userId,
      askedBy: null,
      reason: input.reason,
    });
    return {
      library_id: key.id,
      state: "asked",
      asked_by_staff: false,
      asked_at: askedAt,
      decided_at: null,
    };
  });
}

type StaffReplacement = { orderId: string; keyId: string; reason: string; shown?: SeenVersion };

/**
 * The same by staff, for the owner of a code of an order. Someone else decides.
 * @throws ShopError order_unknown, key_unknown, key_frozen, replacement_asked, revision_conflict
 */
export async function requestReplacementByStaff(
  { userId: actor }: StaffViewer,
  { orderId, keyId, reason, shown }: StaffReplacement,
): Promise<{ id: string; askedAt: string }> {
  return transaction(async (tx) => {
    const [order] = await tx.execute(sql`select 1 from orders where id = ${orderId}`);
    if (!order) throw new ShopError("order_unknown");
    const key = await lockOrderKey(tx, orderId, keyId);
    if (shown)
      await requireShownRow(tx, shown, { version: KEY_VERSION, from: sql`keys k where k.id = ${key.id}` });
    const request = await insertRequest(tx, key.id, { userId: key.ownerId, askedBy: actor, reason });
    const detail = { requestId: request.id, keyId: key.id, note: reason };
    await audit({ actor, action: "replacement.requested", subject: orderId, detail }, tx);
    return request;
  });
}

async function insertRequest(
  tx: Tx,
  keyId: string,
  values: { userId: string; askedBy: string | null; reason: string },
): Promise<{ id: string; askedAt: string }> {
  const [request] = await tx
    .insert(replacementRequests)
    .values({ id: newId("rpl"), keyId, ...values })
    .onConflictDoNothing()
    .returning({ id: replacementRequests.id, createdAt: replacementRequests.createdAt });
  if (!request) throw new ShopError("replacement_asked");
  await queueCodeRequest(tx, request.id);
  return { id: request.id, askedAt: request.createdAt.toISOString() };
}
