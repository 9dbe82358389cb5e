import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import type { WithheldDecided } from "@/lib/delivery/console/contract-withheld";
import { withdrawBatch } from "@/lib/merchants/key-files/commands";
import { releaseWithheldKeys, revokeWithheldKeys } from "@/lib/orders/restore/commands";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import { runInBackground } from "@/lib/platform/request-scope";
import type { WithdrawBatchInput } from "@/lib/staff/keys/contract";
import { runOrPreview } from "@/lib/staff/preview/commands";

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

/**
 * Withdraws the unsold codes of a merchant's batch, or says what that would do. `request_id`: a request for another code that
 * shows that the batch is bad, kept in the audit log. It has the time of a job.
 * @throws ShopError key_batch_unknown, key_batch_runs, replacement_unknown: the request is about no code of the batch
 */
export async function withdrawBatchOrPreview(
  viewer: StaffViewer,
  id: string,
  { preview, request_id: requestId }: WithdrawBatchInput,
) {
  if (requestId !== undefined) {
    const found = await db.execute(sql`
      select 1 from replacement_requests r join keys k on k.id = r.key_id where r.id = ${requestId} and k.batch_id = ${id}`);
    if (found.length === 0) throw new ShopError("replacement_unknown");
  }
  return runInBackground(() => runOrPreview(preview, () => withdrawBatch(viewer, id, requestId)));
}
