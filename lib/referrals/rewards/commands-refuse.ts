import { sql } from "drizzle-orm";
import { transaction } from "@/db/client";
import { audit } from "@/lib/platform/audit";

/** Refuses an undecided referral for staff. Null when there is no such referral. */
export async function refuseReferral(id: string, by: string): Promise<"done" | "too_late" | null> {
  return transaction(async (tx) => {
    const [row] = await tx.execute<{ state: string }>(
      sql`select state from referrals where id = ${id} for update`,
    );
    if (!row) return null;
    if (row.state === "paid" || row.state === "refused") return "too_late";
    await tx.execute(
      sql`update referrals set state = 'refused', reason = 'staff', decided_at = shop_now() where id = ${id}`,
    );
    await audit({ actor: by, action: "referral_refused", subject: id }, tx);
    return "done";
  });
}
