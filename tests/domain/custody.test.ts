import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { client, db, pool, transaction } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { SEALED_WITHIN_MINUTES } from "@/lib/delivery/custody/rules";
import { sealCustody } from "@/lib/delivery/custody/seal-custody";
import { type CustodyProblem, verifyCustody } from "@/lib/delivery/custody/verify-custody";
import { revealKey } from "@/lib/orders/fulfilment/reveal-key";
import { runVerification } from "@/scripts/verify-custody";
import * as sale from "../setup/sale";

let buyer: sale.Buyer;
beforeAll(async () => {
  sale.receiveEventsInProcess();
  buyer = await sale.createBuyer();
});
afterAll(sale.closeSale);

/** A sold and revealed key. */
async function createRevealedKey(): Promise<string> {
  const { plans } = await createProduct({ plans: [{ keys: 2 }] });
  await sale.sell(buyer, plans[0]!.id);
  const [key] = await db.execute<{ id: string }>(
    sql`select id from keys where plan_id = ${plans[0]!.id} and state = 'assigned'`,
  );
  await revealKey(buyer.viewer, { library_id: key!.id });
  return key!.id;
}

const listSeals = (keyId: string) =>
  db.execute<{ event: string; position: number; hash: string }>(sql`
    select e.event, s.position, s.hash from custody_seals s join key_events e on e.id = s.event_id
    where s.key_id = ${keyId} order by s.position`);

async function listProblems(keyId: string, minutes?: number) {
  const problems: CustodyProblem[] = [];
  await verifyCustody((problem) => problems.push(problem), { minutes });
  return problems.filter((problem) => problem.keyId === keyId);
}
const listProblemKinds = async (keyId: string, minutes?: number) =>
  (await listProblems(keyId, minutes)).map(({ kind }) => kind);

/** Changes a table without its triggers, as someone with owner rights on the database could. */
const tamper = (table: "key_events" | "custody_seals" | "keys", change: string) =>
  pool().begin(async (tx) => {
    await tx.unsafe(`alter table ${table} disable trigger all`);
    await tx.unsafe(change);
    await tx.unsafe(`alter table ${table} enable trigger all`);
  });

describe("sealing", () => {
  it("creates one gapless chain for each key, and continues it", async () => {
    const id = await createRevealedKey();
    await sealCustody();
    const first = await listSeals(id);
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
    const seals = await listSeals(id);
    expect(seals.slice(0, 5)).toEqual([...first]);
    expect(new Set(seals.map(({ hash }) => hash)).size).toBe(6);
    expect(await listProblemKinds(id)).toEqual([]);
  });

  it("by eight concurrent workers, during reveals, creates the same gapless chains", async () => {
    const ids = [await createRevealedKey(), await createRevealedKey(), await createRevealedKey()];
    for (let round = 0; round < 6; round++)
      await Promise.all([
        ...Array.from({ length: 8 }, (_, i) => sealCustody({ all: i % 2 === 0 })),
        ...ids.map((library_id) => revealKey(buyer.viewer, { library_id })),
      ]);
    await sealCustody({ all: true });
    for (const id of ids) {
      expect((await listSeals(id)).map(({ position }) => position)).toEqual(
        Array.from({ length: 11 }, (_, i) => i + 1),
      );
      expect(await listProblemKinds(id)).toEqual([]);
    }
  });

  it("skips a locked key without waiting, and seals it the next time", async () => {
    const id = await createRevealedKey();
    await transaction(async (tx) => {
      await tx.execute(sql`select 1 from keys where id = ${id} for update`);
      await sealCustody();
      expect(await listSeals(id)).toHaveLength(0);
    });
    await sealCustody();
    expect(await listSeals(id)).toHaveLength(5);
  });
});

describe("verification", () => {
  it("finds no problem after a normal sale", async () => {
    await createRevealedKey();
    await sealCustody({ all: true });
    const output: string[] = [];
    const code = await runVerification((text) => output.push(text));
    expect(output.at(-1)).toMatch(/^\d+ keys, \d+ events, \d+ of them sealed: nothing is wrong\.$/);
    expect(code).toBe(0);
  });

  it("reports a changed event, and the command exits with 1", async () => {
    const id = await createRevealedKey();
    await sealCustody();
    await tamper(
      "key_events",
      `update key_events set actor = 'shop' where key_id = '${id}' and event = 'revealed'`,
    );
    expect(await listProblems(id)).toMatchObject([
      { kind: "hash", message: expect.stringContaining("revealed") },
    ]);
    const output: string[] = [];
    expect(await runVerification((text) => output.push(text))).toBe(1);
    expect(output.join("\n")).toMatch(new RegExp(`^${id}  +\\d+  +hash  +The event revealed`, "m"));
  });

  it.each([
    ["moved by a microsecond", "created_at = created_at + interval '1 microsecond'", ["hash"]],
    ["of another line", "order_line_id = 'line_other'", ["hash"]],
    ["another event", "event = 'mailed'", ["hash"]],
  ])("detects an event that is %s", async (_, change, expected) => {
    const id = await createRevealedKey();
    await sealCustody();
    await tamper(
      "key_events",
      `update key_events set ${change} where key_id = '${id}' and event = 'revealed'`,
    );
    expect(await listProblemKinds(id)).toEqual(expected);
  });

  it("detects a deleted event, with and without its seal", async () => {
    const [withoutEvent, withoutEventAndSeal] = [await createRevealedKey(), await createRevealedKey()];
    await sealCustody();
    const condition = (id: string) => `key_id = '${id}' and event = 'mailed'`;
    await tamper("key_events", `delete from key_events where ${condition(withoutEvent)}`);
    expect(await listProblemKinds(withoutEvent)).toEqual(["lost_event"]);
    await tamper(
      "custody_seals",
      `delete from custody_seals where event_id = (select id from key_events where ${condition(withoutEventAndSeal)})`,
    );
    await tamper("key_events", `delete from key_events where ${condition(withoutEventAndSeal)}`);
    expect(await listProblemKinds(withoutEventAndSeal)).toEqual(["gap", "hash"]);
  });

  it("detects an inserted event", async () => {
    const id = await createRevealedKey();
    await sealCustody();
    await client().unsafe(`insert into key_events (id, key_id, event, actor) overriding system value
      select -e.id, e.key_id, 'resealed', 'shop' from key_events e where key_id = '${id}' and event = 'mailed'`);
    expect(await listProblemKinds(id, 0)).toEqual(expect.arrayContaining(["unsealed", "gap"]));
  });

  it("reports an event without a seal after the allowed time", async () => {
    const id = await createRevealedKey();
    expect(await listProblemKinds(id)).toEqual([]);
    await sale.setClockAhead(`${SEALED_WITHIN_MINUTES + 1} minutes`);
    expect(await listProblemKinds(id)).toEqual(Array(5).fill("unsealed"));
    await sale.setClockAhead("0");
    await sealCustody();
  });

  it("reports an illegal order of events, and a state that the events do not lead to", async () => {
    const { plans } = await createProduct({ plans: [{ keys: 3 }] });
    const keys = await db.execute<{ id: string }>(sql`select id from keys where plan_id = ${plans[0]!.id}`);
    const [revealedEarly, assignedTwice, revokedKey] = keys.map(({ id }) => id) as [string, string, string];
    const insertEvents = (id: string, ...events: string[]) =>
      client().unsafe(
        `insert into key_events (key_id, event, actor) select '${id}', unnest('{${events}}'::text[]), 'shop'`,
      );
    await insertEvents(revealedEarly, "revealed", "reserved", "assigned");
    await insertEvents(assignedTwice, "reserved", "assigned", "quarantined", "assigned");
    await tamper("keys", `update keys set state = 'revoked' where id = '${revokedKey}'`);
    await sealCustody({ all: true });
    expect(await listProblems(revealedEarly)).toMatchObject([
      { kind: "illegal_order", message: "The event revealed cannot follow available." },
    ]);
    expect(await listProblems(assignedTwice)).toMatchObject([
      { kind: "illegal_order", message: "The event assigned cannot follow quarantined." },
    ]);
    expect(await listProblems(revokedKey)).toMatchObject([
      { kind: "state_differs", message: "The key is revoked; its events lead to available." },
    ]);
  });
});
