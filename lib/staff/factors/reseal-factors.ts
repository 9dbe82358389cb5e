import { eq, ne } from "drizzle-orm";
import { transaction } from "@/db/client";
import { secondFactors } from "@/db/schema/staff";
import { reseal, vaultKeyId } from "@/lib/platform/crypto/vault";

/** Reseals the secrets of authenticator apps under the current vault key (`npm run keys:rotate`). Returns their number. */
export async function resealFactors(): Promise<number> {
  return transaction(async (tx) => {
    const rows = await tx
      .select({ id: secondFactors.id, sealed: secondFactors.sealed, vaultKeyId: secondFactors.vaultKeyId })
      .from(secondFactors)
      .where(ne(secondFactors.vaultKeyId, vaultKeyId()))
      .orderBy(secondFactors.id)
      .for("update");
    for (const { id, ...secret } of rows)
      await tx.update(secondFactors).set(reseal(id, secret)).where(eq(secondFactors.id, id));
    return rows.length;
  });
}
