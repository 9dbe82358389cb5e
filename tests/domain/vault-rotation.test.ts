import { randomBytes } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { db, transaction } from "@/db/client";
import { createKeys, createProduct } from "@/db/factories/catalog";
import { createStaff } from "@/db/factories/staff";
import { countKeysUnderOldVaultKeys, rotateKeys } from "@/lib/delivery/custody/rotate-keys";
import { sealCustody } from "@/lib/delivery/custody/seal-custody";
import { verifyCustody } from "@/lib/delivery/custody/verify-custody";
import { decryptKeys, openKeysForEmail } from "@/lib/delivery/library/open-keys";
import { revealKey } from "@/lib/orders/fulfilment/reveal-key";
import { reseal, seal, unseal, vaultKeyId } from "@/lib/platform/crypto/vault";
import { env, parseEnv } from "@/lib/platform/env";
import { enterStaffMode } from "@/lib/staff/factors/enter-staff-mode";
import { resealFactors } from "@/lib/staff/factors/reseal-factors";
import { runRotation } from "@/scripts/rotate-keys";
import { rounds } from "@/tests/setup/rounds";
import { auditSale } from "../setup/audit";
import * as sale from "../setup/sale";

const originalKey = env().VAULT_KEY;
beforeAll(() => sale.receiveEventsInProcess());
afterAll(async () => {
  useVaultKeys(originalKey);
  await sale.closeSale();
});

const createVaultKey = () => randomBytes(32).toString("base64");
/** Changes the keys as an operator does: a new VAULT_KEY, the old ones in VAULT_KEYS_OLD. */
const useVaultKeys = (key: string, ...oldKeys: string[]) =>
  Object.assign(env(), { VAULT_KEY: key, VAULT_KEYS_OLD: oldKeys });

describe("the vault", () => {
  it("decrypts with an old key, and rewraps without re-encrypting the text, so that the old key is no longer needed", () => {
    const [firstKey, secondKey] = [createVaultKey(), createVaultKey()];
    useVaultKeys(firstKey);
    const sealedBox = seal("key_1", "AB-12 日本");
    useVaultKeys(secondKey, firstKey);
    expect(unseal("key_1", sealedBox)).toBe("AB-12 日本");
    const resealedBox = reseal("key_1", sealedBox);
    expect(resealedBox.vaultKeyId).toBe(vaultKeyId());
    expect(resealedBox.sealed.subarray(60)).toEqual(sealedBox.sealed.subarray(60)); // the encrypted text is unchanged
    expect(resealedBox.sealed.subarray(0, 60)).not.toEqual(sealedBox.sealed.subarray(0, 60));
    useVaultKeys(secondKey);
    expect(unseal("key_1", resealedBox)).toBe("AB-12 日本");
    expect(() => unseal("key_1", sealedBox)).toThrow("VAULT_KEYS_OLD");
    expect(() => reseal("key_1", sealedBox)).toThrow("VAULT_KEYS_OLD");
    expect(() => reseal("key_2", resealedBox)).toThrow(); // another row
    useVaultKeys(originalKey);
  });

  it("accepts several old keys, and rejects an invalid one", () => {
    const variables = { ...process.env, DATABASE_URL: "postgres://x" };
    const [firstKey, secondKey] = [createVaultKey(), createVaultKey()];
    expect(parseEnv({ ...variables, VAULT_KEYS_OLD: ` ${firstKey}, ${secondKey} ,` }).VAULT_KEYS_OLD).toEqual(
      [firstKey, secondKey],
    );
    expect(parseEnv({ ...variables, VAULT_KEYS_OLD: "" }).VAULT_KEYS_OLD).toEqual([]);
    expect(() => parseEnv({ ...variables, VAULT_KEYS_OLD: `${firstKey},c2hvcnQ=` })).toThrow(
      "32 bytes in base64",
    );
  });
});

describe("rotation", () => {
  it("includes the secrets of authenticator apps", async () => {
    const firstKey = createVaultKey();
    useVaultKeys(firstKey);
    const admin = await createStaff({ entered: false });
    useVaultKeys(originalKey, firstKey);
    expect(await resealFactors()).toBeGreaterThan(0);
    useVaultKeys(originalKey);
    expect(await enterStaffMode(admin.viewer, await admin.code())).toMatchObject({ active: true });
  });

  const KEYS = rounds(2000, 440);
  it("of many keys, run twice during sales, reveals and emails, keeps every code", async () => {
    const product = await createProduct({ plans: [{ keys: 0 }] });
    const planId = product.plans[0]!.id;
    const texts = (await Promise.all([1, 2, 3, 4].map(() => createKeys(planId, KEYS / 4)))).flat();
    const buyers = await Promise.all(Array.from({ length: 6 }, () => sale.createBuyer()));
    for (const buyer of buyers) await sale.sell(buyer, planId, 2);
    const [firstKey, secondKey] = [createVaultKey(), createVaultKey()];
    let isRunning = true;
    const counts = { sales: 0, reveals: 0, mails: 0 };
    const codesById = new Map<string, Set<string>>();
    const recordCode = (id: string, code: string) =>
      codesById.set(id, (codesById.get(id) ?? new Set()).add(code));
    const shoppers = buyers.map(async (buyer) => {
      while (isRunning) {
        await sale.sell(buyer, planId);
        counts.sales++;
        const ownKeys = await db.execute<{ id: string; orderId: string }>(sql`
          select k.id, o.id as "orderId" from keys k join order_lines l on l.id = k.order_line_id join orders o on o.id = l.order_id
          where o.user_id = ${buyer.id} and k.state = 'assigned' order by random() limit 5`);
        for (const { id } of ownKeys) {
          recordCode(id, (await revealKey(buyer.viewer, { library_id: id })).code);
          counts.reveals++;
        }
        for (const { id, orderId } of ownKeys)
          for (const { keyId, code } of decryptKeys(await openKeysForEmail(db, orderId, [id]))) {
            recordCode(keyId, code);
            counts.mails++;
          }
      }
    });
    useVaultKeys(firstKey, originalKey);
    const rotations = [await rotateKeys({ batch: 50, actor: "test" })];
    useVaultKeys(secondKey, firstKey, originalKey);
    // Two rotations at once; their progress shows their batches.
    const progress: number[] = [];
    const onProgress = ({ resealed }: { resealed: number }) => progress.push(resealed);
    rotations.push(
      ...(await Promise.all([
        rotateKeys({ batch: 50, actor: "test", onProgress }),
        rotateKeys({ batch: 70, actor: "test", onProgress }),
      ])),
    );
    isRunning = false;
    await Promise.all(shoppers);
    expect(rotations.map(({ remaining }) => remaining)).toEqual([0, 0, 0]);
    expect(rotations[0]!.resealed).toBe(KEYS);
    expect(rotations[1]!.resealed + rotations[2]!.resealed).toBe(KEYS);
    expect(progress.length).toBeGreaterThan(2);
    useVaultKeys(secondKey); // the old keys are no longer configured
    const rows = await db.execute<{ id: string; sealed: Buffer; vault_key_id: string }>(
      sql`select id, sealed, vault_key_id from keys where plan_id = ${planId}`,
    );
    const plainTexts = rows.map((row) => [
      row.id,
      unseal(row.id, { sealed: row.sealed, vaultKeyId: row.vault_key_id }),
    ]);
    expect(plainTexts.map(([, text]) => text).sort()).toEqual([...texts].sort());
    const textById = new Map(plainTexts as [string, string][]);
    for (const [id, codes] of codesById) expect([...codes]).toEqual([textById.get(id)]);
    const resealed = await db.execute(sql`
      select 1 from key_events e join keys k on k.id = e.key_id where k.plan_id = ${planId} and e.event = 'resealed'`);
    expect(resealed).toHaveLength(2 * KEYS);
    expect(await auditSale()).toEqual([]);
    await sealCustody({ all: true });
    const problems: string[] = [];
    await verifyCustody(({ message }) => problems.push(message));
    expect(problems).toEqual([]);
    expect(counts.sales).toBeGreaterThan(5);
    console.log(
      `rotation under load: n=${KEYS} keys, 2 rotations, ${JSON.stringify(counts)}, 0 codes differ`,
    );
  });

  it("skips a locked key and returns to it", async () => {
    const product = await createProduct({ plans: [{ keys: 5 }] });
    const planId = product.plans[0]!.id;
    const currentKey = env().VAULT_KEY;
    useVaultKeys(createVaultKey(), currentKey);
    const [lockedKey] = await db.execute<{ id: string }>(
      sql`select id from keys where plan_id = ${planId} limit 1`,
    );
    let done = false;
    const rotation = transaction(async (tx) => {
      await tx.execute(sql`select 1 from keys where id = ${lockedKey!.id} for update`);
      const running = rotateKeys({ actor: "test" }).then((result) => {
        done = true;
        return result;
      });
      while ((await countKeysUnderOldVaultKeys()) > 1)
        await new Promise((resolve) => setTimeout(resolve, 10));
      expect(done).toBe(false);
      return { running: running };
    });
    expect(await (await rotation).running).toMatchObject({ remaining: 0 });
  });

  it("as a command reports its result, and stops with a message when an old key is missing", async () => {
    await createProduct({ plans: [{ keys: 3 }] });
    const currentKey = env().VAULT_KEY;
    const output: string[] = [];
    const runCommand = (...args: string[]) =>
      runRotation(
        args,
        (text) => output.push(text),
        (text) => output.push(`!${text}`),
      );
    expect(await runCommand("--batch", "no")).toBe(2);
    useVaultKeys(createVaultKey());
    expect(await runCommand()).toBe(1);
    expect(output.at(-1)).toMatch(/^!Stopped.*add it to VAULT_KEYS_OLD/);
    Object.assign(env(), { VAULT_KEYS_OLD: [currentKey, originalKey] });
    expect(await runCommand("--batch", "2")).toBe(0);
    expect(output.at(-1)).toMatch(/^\d+ resealed\. No row is left under an old key/);
    expect(await runCommand()).toBe(0);
    expect(output.at(-1)).toMatch(/^0 resealed\./);
  });
});
