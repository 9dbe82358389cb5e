import { eq, sql } from "drizzle-orm";
import { transaction } from "@/db/client";
import { webhookEndpoints } from "@/db/schema/webhooks";
import { reseal, vaultKeyId } from "@/lib/platform/crypto/vault";

/** Re-encrypts the secrets of endpoints under the current vault key, one endpoint a transaction. Returns how many. Safe to repeat. */
export async function resealSecrets(): Promise<number> {
  let count = 0;
  while (await resealNext()) count += 1;
  return count;
}

const resealNext = (): Promise<boolean> =>
  transaction(async (tx) => {
    const [endpoint] = await tx
      .select()
      .from(webhookEndpoints)
      .where(sql`vault_key_id <> ${vaultKeyId()} or old_vault_key_id <> ${vaultKeyId()}`)
      .limit(1)
      .for("no key update");
    if (!endpoint) return false;
    const { id, sealed, vaultKeyId: key, oldSealed, oldVaultKeyId } = endpoint;
    const old =
      oldSealed && oldVaultKeyId ? reseal(id, { sealed: oldSealed, vaultKeyId: oldVaultKeyId }) : null;
    await tx
      .update(webhookEndpoints)
      .set({
        ...reseal(id, { sealed, vaultKeyId: key }),
        oldSealed: old?.sealed ?? null,
        oldVaultKeyId: old?.vaultKeyId ?? null,
      })
      .where(eq(webhookEndpoints.id, id));
    return true;
  });
