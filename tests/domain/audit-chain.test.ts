import { readFile, rm, writeFile } from "node:fs/promises";
import { sql } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { closeDatabase, db, pool, transaction } from "@/db/client";
import { createUser } from "@/db/factories/accounts";
import { createSinglePlan } from "@/db/factories/catalog";
import { createOrder } from "@/db/factories/orders";
import { createStaff } from "@/db/factories/staff";
import { audit } from "@/lib/platform/audit";
import { env } from "@/lib/platform/env";
import { AuditInput } from "@/lib/staff/audit/contract";
import { listAudit } from "@/lib/staff/audit/list-audit";
import { sealAudit } from "@/lib/staff/audit/seal-audit";
import { type AuditProblem, verifyAudit } from "@/lib/staff/audit/verify-audit";
import { runAuditVerification } from "@/scripts/verify-audit";

const headsFile = env().AUDIT_HEADS_FILE!;

/** Runs SQL as a superuser who switches triggers off. */
const tamper = (statement: string) =>
  pool().begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx.unsafe(statement);
  });

async function problems(): Promise<AuditProblem[]> {
  const found: AuditProblem[] = [];
  await verifyAudit((problem) => found.push(problem));
  return found;
}

const add = (subject: string) =>
  audit({ actor: "system", action: "test.entry", subject, detail: { b: 1, a: [2] } });
/** Seals every entry. Transactions of other test files run in the same cluster, and delay the seals of later ones. */
async function sealAll(): Promise<void> {
  for (let tries = 0; tries < 1600; tries++) {
    await sealAudit();
    const unsealed = await db.execute(sql`
      select 1 from audit_entries e where not exists (select from audit_seals s where s.entry_id = e.id) limit 1`);
    if (unsealed.length === 0) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error("entries stay unsealed");
}
const idOf = async (subject: string) => {
  const [row] = await db.execute<{ id: string }>(
    sql`select id::text as id from audit_entries where subject = ${subject}`,
  );
  return Number(row!.id);
};

beforeEach(async () => {
  await tamper("truncate audit_entries, audit_seals");
  await rm(headsFile, { force: true });
});
afterAll(closeDatabase);

describe("the audit chain", () => {
  it("is whole after 50 parallel writers, some of which roll back or commit late", async () => {
    let release = () => {};
    const late = new Promise<void>((resolve) => {
      release = resolve;
    });
    let hasBegun = () => {};
    const begun = new Promise<void>((resolve) => {
      hasBegun = resolve;
    });
    const lateWriter = transaction(async (tx) => {
      await audit({ actor: "system", action: "test.late", subject: "late" }, tx);
      hasBegun();
      await late;
    });
    await begun;
    const writers = Array.from({ length: 50 }, (_, writer) =>
      (async () => {
        for (let i = 0; i < 10; i++)
          await transaction(async (tx) => {
            await audit({ actor: "system", action: "test.entry", subject: `${writer} ${i}` }, tx);
            if (i % 5 === 4) throw new Error("rolled back");
          }).catch(() => {});
      })(),
    );
    const sealers = Array.from({ length: 4 }, () => sealAudit());
    await Promise.all([...writers, ...sealers]);
    await sealAudit();
    release();
    await lateWriter;
    await sealAll();
    const [counts] = await db.execute(sql`
      select (select count(*)::int from audit_entries) as entries, (select count(*)::int from audit_seals) as seals,
        (select max(position)::int from audit_seals) as last`);
    expect(counts).toEqual({ entries: 401, seals: 401, last: 401 });
    expect(await problems()).toEqual([]);
  });

  it("continues one seal at a time", async () => {
    for (let n = 1; n <= 12; n++) {
      await add(`entry ${n}`);
      await sealAll();
    }
    const [last] = await db.execute(sql`select max(position)::int as position from audit_seals`);
    expect(last).toEqual({ position: 12 });
    expect(await problems()).toEqual([]);
  });

  it("reports an entry that a superuser has changed or removed", async () => {
    for (const subject of ["one", "two", "three", "four"]) await add(subject);
    await sealAll();
    expect(await problems()).toEqual([]);
    const [two, three] = [await idOf("two"), await idOf("three")];
    await expect(db.execute(sql`update audit_entries set actor = 'x' where id = ${two}`)).rejects.toThrow();
    await tamper(`update audit_entries set detail = '{"a":[3],"b":1}' where id = ${two}`);
    await tamper(`delete from audit_entries where id = ${three}`);
    expect(await problems()).toMatchObject([
      { entryId: two, kind: "hash" },
      { entryId: three, kind: "lost_entry" },
    ]);
    const lines: string[] = [];
    expect(await runAuditVerification((line: string) => lines.push(line))).toBe(1);
    expect(lines.join("\n")).toContain(`The entry ${two} (test.entry) differs from the sealed one.`);
  });

  it("reports a chain that was rewritten or cut, by the heads copied off the database", async () => {
    for (const subject of ["one", "two"]) await add(subject);
    await sealAll();
    await add("three");
    await sealAll();
    expect((await readFile(headsFile, "utf8")).trim().split("\n").length).toBeGreaterThanOrEqual(2);
    await tamper("truncate audit_seals");
    await tamper("update audit_entries set actor = 'x' where subject = 'one'");
    const heads = await readFile(headsFile, "utf8");
    await sealAll();
    await writeFile(headsFile, heads);
    expect(new Set((await problems()).map(({ kind }) => kind))).toEqual(new Set(["head"]));
    await tamper("delete from audit_seals where position = 3");
    expect((await problems()).map(({ message }) => message).join()).toContain("the chain was cut");
    await rm(headsFile);
    expect((await problems()).map(({ kind }) => kind)).toContain("heads_missing");
  });

  it("expects no heads in a new shop until an entry should have been sealed", async () => {
    await add("first");
    const lines: string[] = [];
    expect(await runAuditVerification((line: string) => lines.push(line))).toBe(0);
    expect(lines.join("\n")).toContain("nothing is sealed yet");
    await tamper("update audit_entries set created_at = now() - interval '16 minutes'");
    expect((await problems()).map(({ kind }) => kind)).toEqual(["heads_missing", "unsealed"]);
  });

  it("reports newest seals that were deleted and recreated, even if a new head was copied for them", async () => {
    await add("one");
    await sealAll();
    for (const subject of ["two", "three"]) await add(subject);
    await sealAll();
    const three = await idOf("three");
    await tamper("update audit_entries set actor = 'x' where subject = 'two'");
    await tamper("delete from audit_seals where position > 1");
    await sealAll();
    const found = await problems();
    // Transactions of other databases can delay a seal, so that the changed entry has a head of its own too.
    const differing = found.filter(({ kind }) => kind === "heads_differ");
    expect(differing).toContainEqual(
      expect.objectContaining({
        entryId: three,
        message: expect.stringContaining("2 different heads of the position 3"),
      }),
    );
    // A head that was copied twice, as by two processes, is one.
    await tamper("truncate audit_entries, audit_seals");
    await rm(headsFile);
    await add("one");
    await sealAll();
    await writeFile(headsFile, (await readFile(headsFile, "utf8")).repeat(2));
    expect(await problems()).toEqual([]);
  });

  it("reports an entry without a seal after 15 minutes", async () => {
    await add("old");
    await sealAll();
    await tamper(
      "insert into audit_entries (actor, action, subject, created_at) values ('system', 'test.old', 'x', now() - interval '16 minutes')",
    );
    expect(await problems()).toMatchObject([{ kind: "unsealed" }]);
  });
});

describe("the list of the audit log", () => {
  it("names the actor, the subject, and the accounts and orders in the detail of an entry", async () => {
    const [admin, support] = [await createStaff(), await createStaff({ roles: ["support"] })];
    const customer = await createUser({ username: "Ada" });
    const { id: planId } = await createSinglePlan({ keys: 1 });
    const order = await createOrder(customer, planId);
    const [row] = await db.execute<{ number: string }>(
      sql`select order_number as number from orders where id = ${order.id}`,
    );
    const detail = { to: customer.id, orders: [order.id], asked_by: "usr_gone", note: "free words" };
    await audit({ actor: support.id, action: "coupon_given", subject: order.id, detail });
    await audit({ actor: "staff:root", action: "note.added", subject: customer.id });
    const { items } = await listAudit(admin.viewer, AuditInput.parse({}));
    const find = (subject: string) => items.find((entry) => entry.subject === subject);
    expect(find(order.id)).toMatchObject({
      actor: support.email,
      by: { id: support.id, email: support.email, name: support.username },
      subject_name: row!.number,
      names: { [customer.id]: customer.email, [order.id]: row!.number },
    });
    expect(Object.keys(find(order.id)!.names)).toHaveLength(2);
    expect(find(customer.id)).toMatchObject({
      by: { id: "staff:root", email: null, name: null },
      subject_name: customer.email,
      names: {},
    });
  });

  it("shows everything to administrators and their own actions to support, with the chain", async () => {
    const [admin, support] = [await createStaff(), await createStaff({ roles: ["support"] })];
    await audit({ actor: support.id, action: "orders.noted", subject: "ord_1", detail: { after: "x" } });
    for (let i = 0; i < 60; i++) await add(`${i}`);
    await sealAll();
    await add("fresh");
    const list = (viewer: typeof admin.viewer, input: object = {}) =>
      listAudit(viewer, AuditInput.parse(input));
    const first = await list(admin.viewer);
    expect(first.items).toHaveLength(50);
    expect(first).toMatchObject({ total: 62, total_exact: true, chain: { position: 61, waiting: 1 } });
    expect(first.items[0]).toMatchObject({ subject: "fresh", position: null });
    const second = await list(admin.viewer, { cursor: first.next_cursor });
    expect(second.items.map(({ subject }) => subject)).toHaveLength(12);
    expect(second.next_cursor).toBeNull();
    expect((await list(support.viewer)).items).toMatchObject([{ actor: support.email, position: 1 }]);
    expect((await list(support.viewer, { actor: admin.email })).items).toEqual([]);
    expect((await list(admin.viewer, { actor: support.email })).total).toBe(1);
    expect((await list(admin.viewer, { action: "orders" })).items).toHaveLength(1);
    expect((await list(admin.viewer, { subject: "fresh" })).items).toHaveLength(1);
    await expect(list(admin.viewer, { cursor: first.next_cursor, action: "x" })).rejects.toMatchObject({
      error: "cursor_invalid",
    });
  });
});
