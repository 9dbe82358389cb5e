import { randomBytes } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, expect, it } from "vitest";
import { closeDatabase, db } from "@/db/client";
import { checkVaultKeys } from "@/lib/delivery/vault-keys/check-vault-keys";
import { env } from "@/lib/platform/env";

const { VAULT_KEY, VAULT_HASH_KEY, VAULT_KEYS_OLD } = env();
const configured = { VAULT_KEY, VAULT_HASH_KEY, VAULT_KEYS_OLD };
const otherKey = () => randomBytes(32).toString("base64");
const use = (changes: Partial<typeof configured>) => Object.assign(env(), configured, changes);

afterEach(async () => {
  use({});
  await db.execute(sql`delete from vault_checks`);
});
afterAll(closeDatabase);

it("the vault keys of a database's first use are accepted again, by several concurrent processes", async () => {
  await Promise.all(Array.from({ length: 8 }, checkVaultKeys));
  await checkVaultKeys();
});

it("a different VAULT_HASH_KEY is refused, since known codes would be imported again", async () => {
  await checkVaultKeys();
  use({ VAULT_HASH_KEY: otherKey() });
  await expect(checkVaultKeys()).rejects.toThrow("VAULT_HASH_KEY is not the one of this database");
});

it("a different VAULT_KEY is refused, unless the recorded one is in VAULT_KEYS_OLD, and is then recorded itself", async () => {
  await checkVaultKeys();
  const next = otherKey();
  use({ VAULT_KEY: next });
  await expect(checkVaultKeys()).rejects.toThrow("VAULT_KEY is not the one of this database");
  use({ VAULT_KEY: next, VAULT_KEYS_OLD: [VAULT_KEY] });
  await checkVaultKeys();
  use({ VAULT_KEY: next }); // rotated, the old key is emptied
  await checkVaultKeys();
  use({}); // a process that was not restarted with the new key
  await expect(checkVaultKeys()).rejects.toThrow("VAULT_KEY is not the one of this database");
});
