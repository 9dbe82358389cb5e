import { type SQL, sql } from "drizzle-orm";
import { type Tx, transaction } from "@/db/client";
import { audit } from "@/lib/platform/audit";

/** Ends the approvals that no one decided in time, and those of people who no longer have a role to request them. */
export async function expireApprovals(): Promise<void> {
  await transaction((tx) =>
    expireWhere(tx, sql`expires_at <= shop_now() or not may_decide_approval(a, a.asked_by)`),
  );
}

/** Ends the requests of a person whose roles have changed, where none of the remaining ones would allow them. */
export const expireRequestsOf = (tx: Tx, userId: string): Promise<void> =>
  expireWhere(tx, sql`a.asked_by = ${userId} and not may_decide_approval(a, ${userId})`);

async function expireWhere(tx: Tx, condition: SQL): Promise<void> {
  const expired = await tx.execute<{ id: string }>(sql`
    update approvals a set state = 'expired' where a.state = 'asked' and (${condition}) returning a.id`);
  for (const { id } of expired) await audit({ actor: "system", action: "approval.expired", subject: id }, tx);
}
