import { appendFile, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { db, pool, transaction } from "@/db/client";
import { createKeys, createSinglePlan } from "@/db/factories/catalog";
import { sealCustody } from "@/lib/delivery/custody/seal-custody";
import { verifyCustody } from "@/lib/delivery/custody/verify-custody";
import type { WithheldPlan } from "@/lib/delivery/withheld/list-withheld-plans";
import { moveKeys } from "@/lib/delivery/withheld/move-keys";
import { reconcileWithProvider } from "@/lib/orders/reconciliation/reconcile-with-provider";
import { checkRestore } from "@/lib/orders/restore/check-restore";
import { newId } from "@/lib/platform/crypto/ids";
import { env } from "@/lib/platform/env";
import { closeShop, isShopClosed, openShop } from "@/lib/platform/shop-closure";
import { runRestoreCheck } from "@/scripts/check-restore";
import { auditSale } from "../setup/audit";
import * as sale from "../setup/sale";
import { runJsonCommand, runStaffCommand } from "../setup/staff";

const folder = env().ASSIGNMENT_JOURNAL_DIR!;
const actor = "staff:test";
let buyer: sale.Buyer;
beforeAll(async () => {
  sale.receiveEventsInProcess();
  buyer = await sale.createBuyer();
  // So that the journal has a line and covers the sales before the restored moment.
  await sale.sell(buyer, (await createSinglePlan({ keys: 1 })).id);
});
afterEach(async () => {
  await openShop(actor);
  await sale.runQueue();
  expect(await auditSale({ whenIdle: true })).toEqual([]);
});
afterAll(async () => {
  await sealCustody({ all: true });
  const problems: string[] = [];
  await verifyCustody(({ message }) => problems.push(message));
  await sale.closeSale();
  expect(problems).toEqual([]);
});

/** The option with the version of a plan's withheld keys, as the shell lists it. */
async function seenWithheld(plan: number): Promise<[string, string]> {
  const plans: WithheldPlan[] = await runJsonCommand("stock", "withheld");
  return ["--version", plans.find(({ planId }) => planId === plan)!.version];
}

const minuteAgo = () => new Date(Date.now() - 60_000);
const keysOf = async (planId: number) => {
  const rows = await db.execute<{ id: string; state: string }>(
    sql`select id, state from keys where plan_id = ${planId} order by created_at, id`,
  );
  return new Map(rows.map(({ id, state }) => [id, state]));
};

/** A line of another process, of the time that the restored database does not know. */
async function journal(key: string, order: string) {
  const at = new Date().toISOString();
  await appendFile(
    join(folder, `${newId("writer")}.000000001.jsonl`),
    `${JSON.stringify({ n: 1, key, order, at })}\n`,
  );
}

/** A payment at the provider whose order is lost. */
async function payLostOrder(items: string | null, status = "succeeded", orderId = newId("ord")) {
  const id = `pi_${newId("lost")}`;
  const metadata = { order_id: orderId, payment_id: newId("pay"), ...(items !== null && { items }) };
  const received = status === "succeeded" ? 1000 : 0;
  await db.execute(sql`insert into sandbox_intents (id, client_secret, amount_cents, received_cents, currency, status, metadata)
    values (${id}, ${`${id}_secret`}, 1000, ${received}, 'usd', ${status}, ${JSON.stringify(metadata)}::jsonb)`);
  return { id, orderId };
}
/** Removes what a restored database does not have of a payment that was opened later. */
const forgetPayment = (intentId: string) =>
  pool().begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`delete from payments where intent_id = ${intentId}`;
    await tx`delete from webhook_events where payload->>'payment_intent' = ${intentId}`;
    await tx`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs where locked_by is null))`;
  });

/** What a preview must leave as it is. */
const readState = () =>
  db.execute(sql`
    select (select jsonb_agg(to_jsonb(o) order by id) from orders o) as orders,
      (select jsonb_agg(to_jsonb(p) order by id) from payments p) as payments,
      (select jsonb_object_agg(id, state) from keys) as keys, (select count(*)::int from key_events) as key_events,
      (select jsonb_object_agg(id, status) from sandbox_intents) as intents, (select count(*)::int from sandbox_refunds) as refunds,
      (select count(*)::int from audit_entries) as audit_entries, (select count(*)::int from lost_payments) as lost_payments,
      (select count(*)::int from graphile_worker.jobs) as jobs, (select count(*)::int from mails) as mails,
      (select last_value::int from order_numbers) as order_numbers, (select count(*)::int from shop_closure) as closures`);

const refundedOf = async (intentId: string) => {
  const [row] = await db.execute<{ cents: number }>(
    sql`select coalesce(sum(amount_cents), 0)::int as cents from sandbox_refunds where intent_id = ${intentId}`,
  );
  return row!.cents;
};

describe("the check after a restore", () => {
  it("quarantines keys in stock that the journal names, leaves the rest, and closes the shop", async () => {
    const { id: planId } = await createSinglePlan({ keys: 3 });
    const [first, second, third] = [...(await keysOf(planId)).keys()];
    const lost = await payLostOrder(`${planId}x1`);
    await journal(first!, lost.orderId);
    const preview = await checkRestore({ since: minuteAgo(), actor, preview: true });
    expect(preview).toMatchObject({
      quarantined: 1,
      withheld: [],
      payments: { refunded: [{ intentId: lost.id }] },
    });
    expect(await isShopClosed()).toBe(false);
    expect(await refundedOf(lost.id)).toBe(0);

    const report = await checkRestore({ since: minuteAgo(), actor });
    expect(report).toMatchObject({ journal: { whole: true }, quarantined: 1, withheld: [], differences: [] });
    expect(await keysOf(planId)).toEqual(
      new Map([
        [first, "quarantined"],
        [second, "available"],
        [third, "available"],
      ]),
    );
    expect(await isShopClosed()).toBe(true);
    expect(await refundedOf(lost.id)).toBe(1000);
    // The check can be repeated, and leaves nothing to the daily reconciliation.
    const again = await checkRestore({ since: minuteAgo(), actor });
    expect(again).toMatchObject({
      quarantined: 0,
      payments: { recorded: 0, refunded: [], cancelled: [], open: [] },
    });
    expect(await refundedOf(lost.id)).toBe(1000);
    expect((await reconcileWithProvider()).differences).toEqual([]);
  });

  it("cancels open payments of lost orders, and waits for those that are being processed", async () => {
    const open = await payLostOrder("1x1", "requires_payment_method");
    const processing = await payLostOrder("1x1", "processing");
    const report = await checkRestore({ since: minuteAgo(), actor });
    expect(report.payments.cancelled).toMatchObject([{ intentId: open.id }]);
    expect(report.payments.open).toMatchObject([{ intentId: processing.id }]);
    const lines: string[] = [];
    expect(await runRestoreCheck(["--since", minuteAgo().toISOString()], (text) => lines.push(text))).toBe(1);
    expect(lines.join("\n")).toContain("NOT DONE");
    await db.execute(sql`update sandbox_intents set status = 'canceled' where id = ${processing.id}`);
    expect(await runRestoreCheck(["--since", minuteAgo().toISOString()], () => {})).toBe(0);
    expect(
      await runRestoreCheck(
        ["--since", "yesterday"],
        () => {},
        () => {},
      ),
    ).toBe(2);
  });

  it("settles an existing order with a payment that was opened later", async () => {
    const { id: planId } = await createSinglePlan({ keys: 2 });
    const orderId = await sale.orderPlan(buyer, planId);
    const { intentId } = await sale.pay(buyer, orderId);
    await sale.waitForLastEvents();
    await forgetPayment(intentId);
    const [reserved] = await db.execute<{ id: string }>(
      sql`select id from keys where plan_id = ${planId} and state = 'reserved'`,
    );
    await journal(reserved!.id, orderId);
    const report = await checkRestore({ since: minuteAgo(), actor });
    expect(report).toMatchObject({ payments: { recorded: 1, refunded: [] }, differences: [] });
    await openShop(actor);
    await sale.runQueue();
    expect(await sale.getOrderStatus(orderId)).toBe("completed");
    // The buyer has the code that was mailed before.
    expect((await keysOf(planId)).get(reserved!.id)).toBe("assigned");
  });

  it("ends unpaid orders that hold keys already handed out with another order", async () => {
    const { id: planId } = await createSinglePlan({ keys: 1 });
    const orderId = await sale.orderPlan(buyer, planId);
    const [key] = [...(await keysOf(planId)).keys()];
    await journal(key!, newId("ord"));
    expect(await checkRestore({ since: minuteAgo(), actor })).toMatchObject({ quarantined: 1 });
    expect(await sale.getOrderStatus(orderId)).toBe("cancelled");
    expect((await keysOf(planId)).get(key!)).toBe("quarantined");
  });

  it("previews what it then does, including the consequences of its own steps", async () => {
    // Handed out with another order: one key is in stock, one is held by an unpaid order, one by an order that is paid since
    // and that the journal does not name.
    const handedOut = await createSinglePlan({ keys: 3 });
    const unpaidOrder = await sale.orderPlan(buyer, handedOut.id);
    const paidOrder = await sale.orderPlan(buyer, handedOut.id);
    const { intentId } = await sale.pay(buyer, paidOrder);
    await sale.waitForLastEvents();
    await forgetPayment(intentId);
    for (const key of (await keysOf(handedOut.id)).keys()) await journal(key, newId("ord"));
    await createKeys(handedOut.id, 2);
    // Bought beyond what the journal names, with a key that an unpaid order holds.
    const short = await createSinglePlan({ keys: 2 });
    const holdingOrder = await sale.orderPlan(buyer, short.id);
    await sale.openPayment(buyer, holdingOrder);
    const lost = await payLostOrder(`${short.id}x1`);
    const open = await payLostOrder(`${handedOut.id}x1`, "requires_payment_method");
    const since = minuteAgo();

    const before = await readState();
    const preview = await checkRestore({ since, actor, preview: true });
    expect(await readState()).toEqual(before);
    expect(preview).toMatchObject({
      quarantined: 3,
      withheld: [
        { planId: handedOut.id, keys: 2 },
        { planId: short.id, keys: 2 },
      ],
      payments: {
        recorded: 1,
        refunded: [{ intentId: lost.id }],
        cancelled: [{ intentId: open.id }],
        open: [],
      },
      differences: [],
    });
    expect(await checkRestore({ since, actor })).toEqual(preview);
    expect(await sale.countKeysByState(handedOut.id)).toEqual({ quarantined: 3, withheld: 2 });
    expect(await sale.countKeysByState(short.id)).toEqual({ withheld: 2 });
    for (const orderId of [unpaidOrder, holdingOrder])
      expect(await sale.getOrderStatus(orderId)).toBe("cancelled");
    expect(await sale.getOrderStatus(paidOrder)).toBe("paid");
  });

  it("is previewed only when no shopper waits for its locks", async () => {
    const server = new pg.Client({
      connectionString: env().DATABASE_URL,
      application_name: "passlane-monitor",
    });
    await server.connect();
    const preview = () => checkRestore({ since: minuteAgo(), actor, preview: true });
    await expect(preview()).rejects.toThrow("end them, or close the shop");
    await closeShop("restored", actor);
    await expect(preview()).resolves.toMatchObject({ differences: [] });
    await server.end();
  });

  it("withholds the keys of a plan with more payments than the journal names, until staff release them", async () => {
    const short = await createSinglePlan({ keys: 2 });
    const other = await createSinglePlan({ keys: 2 });
    await payLostOrder(`${short.id}x2`);
    const report = await checkRestore({ since: minuteAgo(), actor });
    expect(report.withheld).toMatchObject([{ planId: short.id, keys: 2 }]);
    expect(await sale.countKeysByState(short.id)).toEqual({ withheld: 2 });
    expect(await sale.countKeysByState(other.id)).toEqual({ available: 2 });
    const seen = await seenWithheld(short.id);
    expect((await runStaffCommand("stock", "withheld")).output).toMatch(
      new RegExp(`^${short.id} +${seen[1]} `, "m"),
    );
    // Another code is withheld after the list was read.
    await createKeys(short.id, 1);
    await transaction((tx) =>
      moveKeys(tx, { planId: short.id, state: "available" }, { state: "withheld", actor }),
    );
    for (const old of [seen, []])
      for (const verb of ["release", "revoke"])
        expect(await runStaffCommand("stock", verb, String(short.id), ...old)).toMatchObject({
          code: 1,
          output: expect.stringContaining("has changed since"),
        });
    expect(await sale.countKeysByState(short.id)).toEqual({ withheld: 3 });
    const release = await runStaffCommand(
      "stock",
      "release",
      String(short.id),
      ...(await seenWithheld(short.id)),
    );
    expect(release.code).toBe(0);
    expect(await sale.countKeysByState(short.id)).toEqual({ available: 3 });
    expect((await runStaffCommand("stock", "release", String(short.id))).code).toBe(1);
    for (const text of ["x", "1,000", "1e3", "0x10"])
      expect(await runStaffCommand("stock", "release", text)).toEqual({
        code: 1,
        output: `!${text} is no number of a plan.`,
      });
  });

  it("withholds every available key without a complete journal, even those of unpaid orders", async () => {
    const { id: planId } = await createSinglePlan({ keys: 3 });
    const orderId = await sale.orderPlan(buyer, planId);
    const files = await readdir(folder);
    expect(files.length).toBeGreaterThan(0);
    const [since] = [minuteAgo()];
    const lost = await checkRestore({ since, actor, journalLost: true, preview: true });
    expect(lost.journal).toMatchObject({ whole: false, problems: [expect.stringContaining("operator")] });
    await rm(folder, { recursive: true });
    const report = await checkRestore({ since, actor });
    expect(report.journal).toMatchObject({
      whole: false,
      problems: [expect.stringContaining("cannot be read")],
    });
    expect(report.withheld.map((plan) => plan.planId)).toContain(planId);
    expect(await sale.getOrderStatus(orderId)).toBe("cancelled");
    expect(await sale.countKeysByState(planId)).toEqual({ withheld: 3 });
    const revoke = await runStaffCommand("stock", "revoke", String(planId), ...(await seenWithheld(planId)));
    expect(revoke.output).toContain("3 keys");
    expect(await sale.countKeysByState(planId)).toEqual({ revoked: 3 });
    expect((await runStaffCommand("stock", "withheld")).output).not.toMatch(new RegExp(`^${planId} `, "m"));
  });
});
