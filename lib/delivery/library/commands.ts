import { sql } from "drizzle-orm";
import { transaction } from "@/db/client";
import { lockViewerKey, recordKeyEvents } from "@/lib/delivery/commands";
import type { ActivatedPass, ActivatePassInput } from "@/lib/delivery/contract";
import { passEnd } from "@/lib/delivery/rules";
import type { UserViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import { ACTIVATION_FINAL_SQL } from "./queries";

type Rule = { settled: boolean; duration_days: number | null };

/**
 * Sets when the pass started (docs/product.md#83-delivery). It can be corrected for an hour. An activated code counts
 * as redeemed. Repeating the same time changes nothing.
 * @throws ShopError key_unknown, key_frozen, activation_date_wrong in the future or before the purchase,
 * activation_settled
 */
export async function activatePass(viewer: UserViewer, input: ActivatePassInput): Promise<ActivatedPass> {
  return transaction(async (tx) => {
    const key = await lockViewerKey(tx, viewer, input.library_id);
    const [rule] = await tx.execute<Rule>(sql`
      select ${ACTIVATION_FINAL_SQL} as settled, l.duration_days
      from keys k join order_lines l on l.id = k.order_line_id where k.id = ${key.id}`);
    const at = new Date(input.activated_at ?? key.now);
    const known = key.activatedAt && new Date(key.activatedAt);
    const answer = {
      library_id: key.id,
      activated_at: at.toISOString(),
      ends_at: passEnd(at, rule!.duration_days)?.toISOString() ?? null,
    };
    if (known && known.getTime() === at.getTime()) return answer;
    if (rule!.settled) throw new ShopError("activation_settled");
    if (at > new Date(key.now) || at < startOfMinute(key.assignedAt))
      throw new ShopError("activation_date_wrong");
    await tx.execute(sql`
      update keys set activated_at = ${at.toISOString()}::timestamptz, redemption = 'redeemed' where id = ${key.id}`);
    await recordKeyEvents(tx, [key.id], "activated", viewer.userId);
    return answer;
  });
}

/** Users choose minutes, and an activation in the minute of the purchase begins before it. */
const startOfMinute = (when: string) => new Date(Math.floor(new Date(when).getTime() / 60_000) * 60_000);
