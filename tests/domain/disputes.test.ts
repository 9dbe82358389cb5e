import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { db } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { updateDispute } from "@/lib/orders/disputes/commands";
import { getOrder } from "@/lib/orders/queries";
import { disputeSandboxPayment } from "@/lib/platform/stripe/sandbox/disputes";
import { auditSale } from "../faults/audit";
import * as sale from "../setup/sale";

vi.setConfig({ testTimeout: 60_000 });
let buyer: sale.Buyer;
let planId: number;
beforeAll(async () => {
  sale.receiveEventsHere();
  buyer = await sale.newBuyer();
  planId = (await createProduct({ plans: [{ keys: 20 }] })).plans[0]!.id;
});
afterEach(async () => expect(await auditSale()).toEqual([]));
afterAll(sale.endSale);

async function sold() {
  const orderId = await sale.sell(buyer, planId);
  const [row] = await db.execute<{ id: string }>(
    sql`select transaction_id as id from orders where id = ${orderId}`,
  );
  return { orderId, intentId: row!.id };
}
const contest = async (...dispute: Parameters<typeof disputeSandboxPayment>) => {
  const id = await disputeSandboxPayment(...dispute);
  await sale.eventsArrived();
  await sale.runQueue();
  return id!;
};
const disputesOf = (orderId: string) =>
  db.execute(
    sql`select id, status, is_open, amount_cents, closed_at is not null as closed from disputes where order_id = ${orderId}`,
  );
const isFlagged = async (orderId: string) => (await getOrder(buyer.viewer, orderId, "en")).dispute_open;
const cashOf = async (orderId: string) => {
  const [row] = await db.execute<{ cents: number }>(sql`
    select sum(amount_cents)::int as cents from ledger_entries where order_id = ${orderId} and account = 'provider_cash'`);
  return row!.cents;
};

describe("a contested payment", () => {
  it("flags its order while it is open, and not once it is won; the money stays", async () => {
    const { orderId, intentId } = await sold();
    const before = await sale.statusOf(orderId);
    const id = await contest(intentId, "needs_response");
    expect(await disputesOf(orderId)).toMatchObject([
      { id, status: "needs_response", is_open: true, amount_cents: 1000 },
    ]);
    expect(await isFlagged(orderId)).toBe(true);
    expect(await sale.statusOf(orderId)).toBe(before);
    await contest(intentId, "under_review");
    expect(await isFlagged(orderId)).toBe(true);
    await contest(intentId, "won");
    expect(await disputesOf(orderId)).toMatchObject([{ id, status: "won", is_open: false, closed: true }]);
    expect(await isFlagged(orderId)).toBe(false);
    expect(await cashOf(orderId)).toBe(1000);
    const open = await db.execute(sql`select id from webhook_events where processed_at is null`);
    expect([...open]).toEqual([]);
  });

  it("that is lost is booked once, however often we look", async () => {
    const { orderId, intentId } = await sold();
    const id = await contest(intentId, "needs_response");
    await contest(intentId, "lost");
    for (let round = 0; round < 3; round += 1) await updateDispute(id);
    expect(await cashOf(orderId)).toBe(0);
    const told = await db.execute<{ action: string }>(
      sql`select action from audit_entries where subject = ${orderId} order by id`,
    );
    expect(told.map((row) => row.action)).toEqual(["dispute_open", "dispute_closed"]);
  });

  it("does not open again by a notice that comes late", async () => {
    const { orderId, intentId } = await sold();
    const id = await contest(intentId, "won");
    await disputeSandboxPayment(intentId, "needs_response"); // older news, read after the end
    await updateDispute(id);
    expect(await disputesOf(orderId)).toMatchObject([{ status: "won", is_open: false }]);
    await sale.eventsArrived();
    await sale.runQueue();
  });
});
