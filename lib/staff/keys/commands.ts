import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import type { WithheldDecided } from "@/lib/delivery/console/contract-withheld";
import { withdrawBatch } from "@/lib/merchants/key-files/commands";
import { releaseWithheldKeys, revokeWithheldKeys } from "@/lib/orders/restore/commands";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import { runInBackground } from "@/lib/platform/request-scope";
import type { BatchRevoked } from "@/lib/staff/keys/contract";
import { runOrPreview } from "@/lib/staff/preview/commands";
import type { Effect } from "@/lib/staff/preview/contract";

/**
 * Returns the withheld codes of a plan to stock, or revokes them for good; or says what that would do. It may move many
 * rows, so it has the time of a job.
 * @throws ShopError withheld_unknown
 */
export const decideWithheldOrPreview = (
  { userId }: StaffViewer,
  planId: number,
  { state, preview }: Pick<WithheldDecided, "state"> & { preview: boolean },
) =>
  runInBackground(() =>
    runOrPreview(preview, async (): Promise<WithheldDecided> => {
      const move = state === "available" ? releaseWithheldKeys : revokeWithheldKeys;
      const count = await move(planId, userId);
      if (count === 0) throw new ShopError("withheld_unknown");
      return { vip_id: planId, state, count };
    }),
  );

/** The batch of the code that a replacement request is about; null: an import by the shop. Undefined: there is no request. */
async function findBatchOfRequest(requestId: string): Promise<string | null | undefined> {
  const [row] = await db.execute<{ id: string | null }>(sql`
    select k.batch_id as id from replacement_requests r join keys k on k.id = r.key_id where r.id = ${requestId}`);
  return row?.id;
}

/**
 * Revokes the unsold codes of the batch that a replacement request is about, because its codes prove bad; or says how many
 * they are. Codes that orders hold stay theirs, and their buyers ask for others.
 * @throws ShopError replacement_unknown, key_batch_unknown: the shop imported the code itself, key_batch_runs
 */
export async function revokeBatchOrPreview(
  viewer: StaffViewer,
  requestId: string,
  { preview }: { preview: boolean },
): Promise<{ effects: Effect[]; result: null } | { effects: null; result: BatchRevoked }> {
  const batchId = await findBatchOfRequest(requestId);
  if (batchId === undefined) throw new ShopError("replacement_unknown");
  if (batchId === null) throw new ShopError("key_batch_unknown");
  const { withdrawn: revoked, reserved } = await withdrawBatch(viewer, batchId, { preview, requestId });
  if (!preview) return { effects: null, result: { batch_id: batchId, revoked, reserved } };
  const effects: Effect[] = [
    ...(revoked > 0 ? [{ kind: "codes" as const, change: "revoked" as const, count: revoked }] : []),
    ...(reserved > 0 ? [{ kind: "codes_kept" as const, count: reserved }] : []),
  ];
  return { effects, result: null };
}
