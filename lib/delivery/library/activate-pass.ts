import { eq, sql } from "drizzle-orm";
import { transaction } from "@/db/client";
import { keys } from "@/db/schema/delivery";
import type { ActivatedPass, ActivatePassInput } from "@/lib/delivery/contract";
import { lockViewerKey } from "@/lib/delivery/lock-key";
import { recordKeyEvents } from "@/lib/delivery/record-key-events";
import { passEnd } from "@/lib/delivery/rules";
import type { UserViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import { ACTIVATION_FINAL_SQL } from "./key-state-sql";

type ActivationRow = { is_final: boolean; duration_days: number | null };

/**
 * Sets when the pass started (docs/product.md#83-delivery). It can be corrected for an hour. An activated code counts
 * as redeemed, so a code must have been seen before. Repeating the same time changes nothing.
 * @throws ShopError key_unknown, key_frozen, code_unrevealed, activation_date_wrong in the future or before the purchase,
 * activation_settled
 */
export async function activatePass(viewer: UserViewer, input: ActivatePassInput): Promise<ActivatedPass> {
  return transaction(async (tx) => {
    const key = await lockViewerKey(tx, viewer, input.library_id);
    const [pass] = await tx.execute<ActivationRow>(sql`
      select ${ACTIVATION_FINAL_SQL} as is_final, l.duration_days
      from keys k join order_lines l on l.id = k.order_line_id where k.id = ${key.id}`);
    const at = new Date(input.activated_at ?? key.now);
    const current = key.activatedAt && new Date(key.activatedAt);
    const activatedPass = {
      library_id: key.id,
      activated_at: at.toISOString(),
      ends_at: passEnd(at, pass!.duration_days)?.toISOString() ?? null,
    };
    if (current && current.getTime() === at.getTime()) return activatedPass;
    if (!key.seen) throw new ShopError("code_unrevealed");
    if (pass!.is_final) throw new ShopError("activation_settled");
    if (at > new Date(key.now) || at < startOfMinute(key.assignedAt))
      throw new ShopError("activation_date_wrong");
    await tx.update(keys).set({ activatedAt: at, redemption: "redeemed" }).where(eq(keys.id, key.id));
    await recordKeyEvents(tx, [key.id], "activated", viewer.userId);
    return activatedPass;
  });
}

/** Users choose whole minutes, so an activation in the minute of the purchase may precede it by seconds. */
const startOfMinute = (when: string) => new Date(Math.floor(new Date(when).getTime() / 60_000) * 60_000);
