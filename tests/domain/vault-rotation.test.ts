import { randomBytes } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { db, transaction } from "@/db/client";
import { createKeys, createProduct } from "@/db/factories/catalog";
import { revealKey } from "@/lib/delivery/commands";
import { sealCustody } from "@/lib/delivery/custody/commands";
import { countKeysUnderOldVaultKeys, rotateKeys } from "@/lib/delivery/custody/commands-rotate";
import { verifyCustody } from "@/lib/delivery/custody/queries";
import { decryptKeysForEmail } from "@/lib/delivery/library/queries";
import { reseal, seal, unseal, vaultKeyId } from "@/lib/platform/crypto/vault";
import { env, parseEnv } from "@/lib/platform/env";
import { runRotation } from "@/scripts/rotate-keys";
import { auditSale } from "../faults/audit";
import * as sale from "../setup/sale";

vi.setConfig({ testTimeout: 240_000 });
const first = env().VAULT_KEY;
beforeAll(() => sale.receiveEventsHere());
afterAll(async () => {
  use(first);
  await sale.endSale();
});

const fresh = () => randomBytes(32).toString("base64");
/** What an operator does: a new VAULT_KEY, the old ones in VAULT_KEYS_OLD. */
const use = (key: string, ...old: string[]) => Object.assign(env(), { VAULT_KEY: key, VAULT_KEYS_OLD: old });

describe("the vault", () => {
  it("opens what an old key sealed, reseals it without touching the text, and then needs the old key no more", () => {
    const [one, two] = [fresh(), fresh()];
    use(one);
    const box = seal("key_1", "AB-12 日本");
    use(two, one);
    expect(unseal("key_1", box)).toBe("AB-12 日本");
    const moved = reseal("key_1", box);
    expect(moved.vaultKeyId).toBe(vaultKeyId());
    expect(moved.sealed.subarray(60)).toEqual(box.sealed.subarray(60)); // the text's own box, bit for bit
    expect(moved.sealed.subarray(0, 60)).not.toEqual(box.sealed.subarray(0, 60));
    use(two);
    expect(unseal("key_1", moved)).toBe("AB-12 日本");
    expect(() => unseal("key_1", box)).toThrow("VAULT_KEYS_OLD");
    expect(() => reseal("key_1", box)).toThrow("VAULT_KEYS_OLD");
    expect(() => reseal("key_2", moved)).toThrow(); // another row
    use(first);
  });

  it("takes several old keys, and refuses one that is none", () => {
    const variables = { ...process.env, DATABASE_URL: "postgres://x" };
    const [one, two] = [fresh(), fresh()];
    expect(parseEnv({ ...variables, VAULT_KEYS_OLD: ` ${one}, ${two} ,` }).VAULT_KEYS_OLD).toEqual([
      one,
      two,
    ]);
    expect(parseEnv({ ...variables, VAULT_KEYS_OLD: "" }).VAULT_KEYS_OLD).toEqual([]);
    expect(() => parseEnv({ ...variables, VAULT_KEYS_OLD: `${one},c2hvcnQ=` })).toThrow("32 bytes in base64");
  });
});

describe("rotation", () => {
  it("of 2,000 keys, twice, under sales, reveals and mails: nothing fails, every code is the same", async () => {
    const product = await createProduct({ plans: [{ keys: 0 }] });
    const planId = product.plans[0]!.id;
    const texts = (await Promise.all([1, 2, 3, 4].map(() => createKeys(planId, 500)))).flat();
    const buyers = await Promise.all(Array.from({ length: 6 }, () => sale.newBuyer()));
    for (const buyer of buyers) await sale.sell(buyer, planId, 2);
    const [one, two] = [fresh(), fresh()];
    let busy = true;
    const counted = { sales: 0, reveals: 0, mails: 0 };
    const seen = new Map<string, Set<string>>();
    const look = (id: string, code: string) => seen.set(id, (seen.get(id) ?? new Set()).add(code));
    const shoppers = buyers.map(async (buyer) => {
      while (busy) {
        await sale.sell(buyer, planId);
        counted.sales++;
        const mine = await db.execute<{ id: string }>(sql`
          select k.id from keys k join order_lines l on l.id = k.order_line_id join orders o on o.id = l.order_id
          where o.user_id = ${buyer.id} and k.state = 'assigned' order by random() limit 5`);
        for (const { id } of mine) {
          look(id, (await revealKey(buyer.viewer, { library_id: id })).code);
          counted.reveals++;
        }
        for (const { keyId, code } of await decryptKeysForEmail(
          db,
          mine.map(({ id }) => id),
        )) {
          look(keyId, code);
          counted.mails++;
        }
      }
    });
    use(one, first);
    const rotations = [await rotateKeys({ batch: 50, actor: "test" })];
    use(two, one, first);
    // Two operators at once, and one that is seen to go in batches.
    const progress: number[] = [];
    rotations.push(
      ...(await Promise.all([
        rotateKeys({ batch: 50, actor: "test", onProgress: ({ resealed }) => progress.push(resealed) }),
        rotateKeys({ batch: 70, actor: "test" }),
      ])),
    );
    busy = false;
    await Promise.all(shoppers);
    expect(rotations.map(({ remaining }) => remaining)).toEqual([0, 0, 0]);
    expect(rotations[0]!.resealed).toBe(2000);
    expect(rotations[1]!.resealed + rotations[2]!.resealed).toBe(2000);
    expect(progress.length).toBeGreaterThan(2);
    use(two); // the old keys are gone from now on
    const rows = await db.execute<{ id: string; sealed: Buffer; vault_key_id: string }>(
      sql`select id, sealed, vault_key_id from keys where plan_id = ${planId}`,
    );
    const opened = rows.map((row) => [
      row.id,
      unseal(row.id, { sealed: row.sealed, vaultKeyId: row.vault_key_id }),
    ]);
    expect(opened.map(([, text]) => text).sort()).toEqual([...texts].sort());
    const texted = new Map(opened as [string, string][]);
    for (const [id, codes] of seen) expect([...codes]).toEqual([texted.get(id)]);
    const resealed = await db.execute(sql`
      select 1 from key_events e join keys k on k.id = e.key_id where k.plan_id = ${planId} and e.event = 'resealed'`);
    expect(resealed).toHaveLength(4000);
    expect(await auditSale()).toEqual([]);
    await sealCustody({ all: true });
    const problems: string[] = [];
    await verifyCustody(({ message: what }) => problems.push(what));
    expect(problems).toEqual([]);
    expect(counted.sales).toBeGreaterThan(5);
    console.log(`rotation under load: n=2000 keys, 2 rotations, ${JSON.stringify(counted)}, 0 codes differ`);
  });

  it("passes a held key by, comes back for it, and stopped in between goes on where it was", async () => {
    const product = await createProduct({ plans: [{ keys: 5 }] });
    const planId = product.plans[0]!.id;
    const now = env().VAULT_KEY;
    use(fresh(), now);
    const [held] = await db.execute<{ id: string }>(
      sql`select id from keys where plan_id = ${planId} limit 1`,
    );
    let done = false;
    const rotation = transaction(async (tx) => {
      await tx.execute(sql`select 1 from keys where id = ${held!.id} for update`);
      const going = rotateKeys({ actor: "test" }).then((answer) => {
        done = true;
        return answer;
      });
      while ((await countKeysUnderOldVaultKeys()) > 1)
        await new Promise((resolve) => setTimeout(resolve, 10));
      expect(done).toBe(false);
      return { going };
    });
    expect(await (await rotation).going).toMatchObject({ remaining: 0 });
  });

  it("as a command says what it did, and stops with a sentence when an old key is missing", async () => {
    await createProduct({ plans: [{ keys: 3 }] });
    const now = env().VAULT_KEY;
    const said: string[] = [];
    const run = (...args: string[]) =>
      runRotation(
        args,
        (text) => said.push(text),
        (text) => said.push(`!${text}`),
      );
    expect(await run("--batch", "no")).toBe(2);
    use(fresh());
    expect(await run()).toBe(1);
    expect(said.at(-1)).toMatch(/^!Stopped.*put it into VAULT_KEYS_OLD/);
    Object.assign(env(), { VAULT_KEYS_OLD: [now] });
    expect(await run("--batch", "2")).toBe(0);
    expect(said.at(-1)).toMatch(/^\d+ resealed\. No row is left under an old key/);
    expect(await run()).toBe(0);
    expect(said.at(-1)).toMatch(/^0 resealed\./);
  });
});
