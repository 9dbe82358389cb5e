import { eq } from "drizzle-orm";
import { transaction } from "@/db/client";
import { vaultChecks } from "@/db/schema/delivery";
import { hashKeyId, isVaultKeyConfigured, vaultKeyId } from "@/lib/platform/crypto/vault";

const VAULT_KEY = "VAULT_KEY";
const HASH_KEY = "VAULT_HASH_KEY";

/**
 * Compares the vault keys with those that this database was first used with, before a process seals or compares a code
 * (docs/operations.md#keys-and-custody). After a rotation the new VAULT_KEY is noted while the old one is in VAULT_KEYS_OLD.
 * @throws Error with one sentence for the operator
 */
export async function checkVaultKeys(): Promise<void> {
  const current = { [VAULT_KEY]: vaultKeyId(), [HASH_KEY]: hashKeyId() };
  await transaction(async (tx) => {
    await tx
      .insert(vaultChecks)
      .values(Object.entries(current).map(([name, value]) => ({ name, value })))
      .onConflictDoNothing();
    const recorded = new Map((await tx.select().from(vaultChecks)).map(({ name, value }) => [name, value]));
    if (recorded.get(HASH_KEY) !== current[HASH_KEY])
      throw new Error(
        "VAULT_HASH_KEY is not the one of this database: codes that are known would be imported and sold again.",
      );
    const vaultKey = recorded.get(VAULT_KEY)!;
    if (vaultKey === current[VAULT_KEY]) return;
    if (!isVaultKeyConfigured(vaultKey))
      throw new Error(
        `VAULT_KEY is not the one of this database, ${vaultKey}: codes could not be read. After a rotation add it to VAULT_KEYS_OLD.`,
      );
    await tx.update(vaultChecks).set({ value: vaultKeyId() }).where(eq(vaultChecks.name, VAULT_KEY));
  });
}
