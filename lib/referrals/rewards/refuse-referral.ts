import { eq, sql } from "drizzle-orm";
import { shopNow, type Tx, transaction } from "@/db/client";
import { referrals } from "@/db/schema/referrals";
import { audit } from "@/lib/platform/audit";
import { requireShownRow, versionSql } from "@/lib/platform/console/query";
import type { SeenVersion } from "@/lib/platform/console/version";
import type { ReferralReason } from "@/lib/referrals/rules";

/** SQL: the version of a row of referrals, as it is shown. */
export const referralVersionSql = (referral: string) =>
  versionSql(
    ...["id", "state", "reason", "order_id", "due_at"].map((column) => sql.raw(`${referral}.${column}`)),
  );

export async function markRefused(tx: Tx, id: string, reason: ReferralReason): Promise<void> {
  await tx
    .update(referrals)
    .set({ state: "refused", reason, decidedAt: shopNow })
    .where(eq(referrals.id, id));
}

/**
 * Refuses an undecided referral for staff. Null when there is no such referral.
 * @throws ShopError revision_conflict: it has another state, order or due date than was shown
 */
export async function refuseReferral(
  id: string,
  { actor, version }: SeenVersion & { actor: string },
): Promise<"done" | "too_late" | null> {
  return transaction(async (tx) => {
    const [row] = await tx
      .select({ state: referrals.state })
      .from(referrals)
      .where(eq(referrals.id, id))
      .for("update");
    if (!row) return null;
    if (row.state === "paid" || row.state === "refused") return "too_late";
    const shown = { version: referralVersionSql("r"), from: sql`referrals r where r.id = ${id}` };
    await requireShownRow(tx, { version }, shown);
    await markRefused(tx, id, "staff");
    await audit({ actor, action: "referral_refused", subject: id }, tx);
    return "done";
  });
}
