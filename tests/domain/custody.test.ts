import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { client, db, transaction } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { revealKey } from "@/lib/delivery/commands";
import { sealCustody } from "@/lib/delivery/custody/commands";
import { type CustodyProblem, verifyCustody } from "@/lib/delivery/custody/queries";
import { SEALED_WITHIN_MINUTES } from "@/lib/delivery/custody/rules";
import { runVerification } from "@/scripts/verify-custody";
import * as sale from "../setup/sale";

vi.setConfig({ testTimeout: 120_000 });
let buyer: sale.Buyer;
beforeAll(async () => {
  sale.receiveEventsHere();
  buyer = await sale.newBuyer();
});
afterAll(sale.endSale);

/** A sold and revealed key. */
async function soldKey(): Promise<string> {
  const { plans } = await createProduct({ plans: [{ keys: 2 }] });
  await sale.sell(buyer, plans[0]!.id);
  const [key] = await db.execute<{ id: string }>(
    sql`select id from keys where plan_id = ${plans[0]!.id} and state = 'assigned'`,
  );
  await revealKey(buyer.viewer, { library_id: key!.id });
  return key!.id;
}

const chainOf = (keyId: string) =>
  db.execute<{ event: string; position: number; hash: string }>(sql`
    select e.event, s.position, s.hash from custody_seals s join key_events e on e.id = s.event_id
    where s.key_id = ${keyId} order by s.position`);

async function problemsOf(keyId: string, minutes?: number) {
  const found: CustodyProblem[] = [];
  await verifyCustody((problem) => found.push(problem), { minutes });
  return found.filter((one) => one.keyId === keyId);
}
const kinds = async (keyId: string, minutes?: number) =>
  (await problemsOf(keyId, minutes)).map(({ kind }) => kind);

/** As somebody with the database's own rights would: the guards are off for one change. */
const tamper = (table: "key_events" | "custody_seals" | "keys", change: string) =>
  client().begin(async (tx) => {
    await tx.unsafe(`alter table ${table} disable trigger all`);
    await tx.unsafe(change);
    await tx.unsafe(`alter table ${table} enable trigger all`);
  });

describe("sealing", () => {
  it("makes one chain a key, without a gap, and goes on where it stopped", async () => {
    const id = await soldKey();
    await sealCustody();
    const first = await chainOf(id);
    expect(first.map(({ event }) => event)).toEqual([
      "imported",
      "reserved",
      "assigned",
      "mailed",
      "revealed",
    ]);
    expect(first.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5]);
    await revealKey(buyer.viewer, { library_id: id });
    expect(await sealCustody()).toBe(1);
    expect(await sealCustody()).toBe(0);
    const all = await chainOf(id);
    expect(all.slice(0, 5)).toEqual([...first]);
    expect(new Set(all.map(({ hash }) => hash)).size).toBe(6);
    expect(await kinds(id)).toEqual([]);
  });

  it("by eight workers at once, while the keys are shown, makes the same chains", async () => {
    const ids = [await soldKey(), await soldKey(), await soldKey()];
    for (let round = 0; round < 6; round++)
      await Promise.all([
        ...Array.from({ length: 8 }, (_, i) => sealCustody({ all: i % 2 === 0 })),
        ...ids.map((library_id) => revealKey(buyer.viewer, { library_id })),
      ]);
    await sealCustody({ all: true });
    for (const id of ids) {
      expect((await chainOf(id)).map(({ position }) => position)).toEqual(
        Array.from({ length: 11 }, (_, i) => i + 1),
      );
      expect(await kinds(id)).toEqual([]);
    }
  });

  it("leaves a key that a sale holds for the next time, and does not wait for it", async () => {
    const id = await soldKey();
    await transaction(async (tx) => {
      await tx.execute(sql`select 1 from keys where id = ${id} for update`);
      await sealCustody();
      expect(await chainOf(id)).toHaveLength(0);
    });
    await sealCustody();
    expect(await chainOf(id)).toHaveLength(5);
  });
});

describe("verification", () => {
  it("finds nothing in a shop that sold", async () => {
    await soldKey();
    await sealCustody({ all: true });
    const said: string[] = [];
    const code = await runVerification((text) => said.push(text));
    expect(said.at(-1)).toMatch(/^\d+ keys, \d+ events, \d+ of them sealed: nothing is wrong\.$/);
    expect(code).toBe(0);
  });

  it("names an event that was changed, and the command ends with 1", async () => {
    const id = await soldKey();
    await sealCustody();
    await tamper(
      "key_events",
      `update key_events set actor = 'shop' where key_id = '${id}' and event = 'revealed'`,
    );
    expect(await problemsOf(id)).toMatchObject([
      { kind: "hash", message: expect.stringContaining("revealed") },
    ]);
    const said: string[] = [];
    expect(await runVerification((text) => said.push(text))).toBe(1);
    expect(said.join("\n")).toMatch(new RegExp(`^${id}  +\\d+  +hash  +The event revealed`, "m"));
  });

  it.each([
    ["moved by a microsecond", "created_at = created_at + interval '1 microsecond'", ["hash"]],
    ["of another line", "order_line_id = 'line_other'", ["hash"]],
    ["another event", "event = 'mailed'", ["hash"]],
  ])("sees an event that is %s", async (_, change, expected) => {
    const id = await soldKey();
    await sealCustody();
    await tamper(
      "key_events",
      `update key_events set ${change} where key_id = '${id}' and event = 'revealed'`,
    );
    expect(await kinds(id)).toEqual(expected);
  });

  it("sees an event that is gone, also with its seal", async () => {
    const [bare, both] = [await soldKey(), await soldKey()];
    await sealCustody();
    const gone = (id: string) => `key_id = '${id}' and event = 'mailed'`;
    await tamper("key_events", `delete from key_events where ${gone(bare)}`);
    expect(await kinds(bare)).toEqual(["lost_event"]);
    await tamper(
      "custody_seals",
      `delete from custody_seals where event_id = (select id from key_events where ${gone(both)})`,
    );
    await tamper("key_events", `delete from key_events where ${gone(both)}`);
    expect(await kinds(both)).toEqual(["gap", "hash"]);
  });

  it("sees an event that was slipped in between", async () => {
    const id = await soldKey();
    await sealCustody();
    await client().unsafe(`insert into key_events (id, key_id, event, actor) overriding system value
      select -e.id, e.key_id, 'resealed', 'shop' from key_events e where key_id = '${id}' and event = 'mailed'`);
    expect(await kinds(id, 0)).toEqual(expect.arrayContaining(["unsealed", "gap"]));
  });

  it("sees what waits too long for its seal, and nothing before that", async () => {
    const id = await soldKey();
    expect(await kinds(id)).toEqual([]);
    await sale.setClockAhead(`${SEALED_WITHIN_MINUTES + 1} minutes`);
    expect(await kinds(id)).toEqual(Array(5).fill("unsealed"));
    await sale.setClockAhead("0");
    await sealCustody();
  });

  it("sees what cannot follow, and a state that events do not lead to", async () => {
    const { plans } = await createProduct({ plans: [{ keys: 3 }] });
    const keys = await db.execute<{ id: string }>(sql`select id from keys where plan_id = ${plans[0]!.id}`);
    const [early, again, moved] = keys.map(({ id }) => id) as [string, string, string];
    const add = (id: string, ...events: string[]) =>
      client().unsafe(
        `insert into key_events (key_id, event, actor) select '${id}', unnest('{${events}}'::text[]), 'shop'`,
      );
    await add(early, "revealed", "reserved", "assigned");
    await add(again, "reserved", "assigned", "quarantined", "assigned");
    await tamper("keys", `update keys set state = 'revoked' where id = '${moved}'`);
    await sealCustody({ all: true });
    expect(await problemsOf(early)).toMatchObject([
      { kind: "illegal_order", message: "The event revealed cannot follow available." },
    ]);
    expect(await problemsOf(again)).toMatchObject([
      { kind: "illegal_order", message: "The event assigned cannot follow quarantined." },
    ]);
    expect(await problemsOf(moved)).toMatchObject([
      { kind: "state_differs", message: "The key is revoked; its events lead to available." },
    ]);
  });
});
