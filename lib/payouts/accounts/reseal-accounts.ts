import { eq, ne } from "drizzle-orm";
import { transaction } from "@/db/client";
import { payoutAccounts } from "@/db/schema/payouts";
import { reseal, vaultKeyId } from "@/lib/platform/crypto/vault";

/** Reseals the details of payout accounts under the current vault key (`npm run keys:rotate`). Returns their number. */
export async function resealAccounts(): Promise<number> {
  const { id, sealed, vaultKeyId: keyId } = payoutAccounts;
  return transaction(async (tx) => {
    const rows = await tx
      .select({ id, sealed, vaultKeyId: keyId })
      .from(payoutAccounts)
      .where(ne(keyId, vaultKeyId()))
      .orderBy(id)
      .for("update");
    for (const row of rows) await tx.update(payoutAccounts).set(reseal(row.id, row)).where(eq(id, row.id));
    return rows.length;
  });
}
