import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { db } from "@/db/client";
import { createSinglePlan } from "@/db/factories/catalog";
import { updateDispute } from "@/lib/orders/disputes/commands";
import { getOrder } from "@/lib/orders/queries";
import { getProviderCash } from "../setup/ledger";
import * as sale from "../setup/sale";
import { registerSaleHooks } from "../setup/sale-hooks";
import { disputeSandboxPayment } from "../setup/sandbox-bank";

vi.setConfig({ testTimeout: 60_000 });
registerSaleHooks();
let buyer: sale.Buyer;
let planId: number;
beforeAll(async () => {
  buyer = await sale.createBuyer();
  planId = (await createSinglePlan({ keys: 20 })).id;
});

async function createPaidOrder() {
  const orderId = await sale.sell(buyer, planId);
  const [row] = await db.execute<{ id: string }>(
    sql`select transaction_id as id from orders where id = ${orderId}`,
  );
  return { orderId, intentId: row!.id };
}
const openDispute = async (...dispute: Parameters<typeof disputeSandboxPayment>) => {
  const id = await disputeSandboxPayment(...dispute);
  await sale.waitForEvents();
  await sale.runQueue();
  return id!;
};
const listDisputes = (orderId: string) =>
  db.execute(
    sql`select id, status, is_open, amount_cents, closed_at is not null as closed from disputes where order_id = ${orderId}`,
  );
const isDisputeOpen = async (orderId: string) => (await getOrder(buyer.viewer, orderId, "en")).dispute_open;

describe("a disputed payment", () => {
  it("flags its order while open, not after it is won; the money stays", async () => {
    const { orderId, intentId } = await createPaidOrder();
    const before = await sale.getOrderStatus(orderId);
    const id = await openDispute(intentId, "needs_response");
    expect(await listDisputes(orderId)).toMatchObject([
      { id, status: "needs_response", is_open: true, amount_cents: 1000 },
    ]);
    expect(await isDisputeOpen(orderId)).toBe(true);
    expect(await sale.getOrderStatus(orderId)).toBe(before);
    await openDispute(intentId, "under_review");
    expect(await isDisputeOpen(orderId)).toBe(true);
    await openDispute(intentId, "won");
    expect(await listDisputes(orderId)).toMatchObject([{ id, status: "won", is_open: false, closed: true }]);
    expect(await isDisputeOpen(orderId)).toBe(false);
    expect(await getProviderCash(orderId)).toBe(1000);
    const unprocessed = await db.execute(sql`select id from webhook_events where processed_at is null`);
    expect([...unprocessed]).toEqual([]);
  });

  it("that is lost is booked once, also when updated repeatedly", async () => {
    const { orderId, intentId } = await createPaidOrder();
    const id = await openDispute(intentId, "needs_response");
    await openDispute(intentId, "lost");
    for (let round = 0; round < 3; round += 1) await updateDispute(id);
    expect(await getProviderCash(orderId)).toBe(0);
    const auditRows = await db.execute<{ action: string }>(
      sql`select action from audit_entries where subject = ${orderId} order by id`,
    );
    expect(auditRows.map((row) => row.action)).toEqual(["dispute_open", "dispute_closed"]);
  });

  it("is not reopened by a late webhook event", async () => {
    const { orderId, intentId } = await createPaidOrder();
    const id = await openDispute(intentId, "won");
    await disputeSandboxPayment(intentId, "needs_response"); // an older state, read after the dispute was closed
    await updateDispute(id);
    expect(await listDisputes(orderId)).toMatchObject([{ status: "won", is_open: false }]);
    await sale.waitForEvents();
    await sale.runQueue();
  });
});
