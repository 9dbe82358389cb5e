import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { closeDatabase, db } from "@/db/client";
import { newId } from "@/lib/platform/crypto/ids";
import { paymentProvider } from "@/lib/platform/stripe/provider";
import { confirmSandboxIntent } from "@/lib/platform/stripe/sandbox/confirm";
import { deliverSandboxEvents, plannedCopies } from "@/lib/platform/stripe/sandbox/events";
import { clearSandboxFaults, receiveSandboxEvents } from "../setup/stripe-faults";

const provider = paymentProvider();
const received = new Map<string, { count: number; type: string; intentId: string | null }>();
const receive = async (body: string, signature: string) => {
  const { id, type, intentId } = provider.parseWebhook(body, signature);
  received.set(id, { count: (received.get(id)?.count ?? 0) + 1, type, intentId });
  return 200;
};
const listReceived = (intentId: string) =>
  [...received.values()].filter((event) => event.intentId === intentId);
const payIntent = async () => {
  const intent = await provider.createIntent({
    orderId: "ord_1",
    paymentId: "pay_1",
    items: "1x1",
    amountCents: 499,
    currency: "usd",
    description: "A pass",
    email: "buyer@passlane.example",
    idempotencyKey: newId("key"),
  });
  await confirmSandboxIntent(intent.clientSecret, "succeeded");
  return intent.id;
};
const countWaiting = async () => {
  const [row] = await db.execute<{ n: number }>(
    sql`select count(*)::int as n from sandbox_events where due_at is not null`,
  );
  return row?.n;
};
const makeAllDue = () =>
  db.execute(
    sql`update sandbox_events set due_at = shop_now() - interval '1 second' where due_at is not null`,
  );

beforeEach(async () => {
  await db.execute(sql`update sandbox_events set due_at = null`);
  received.clear();
});
afterEach(() => clearSandboxFaults());
afterAll(() => closeDatabase());

describe("webhook events of the sandbox", () => {
  it("are sent signed after the commit, about one in five of them twice (100 payments)", async () => {
    receiveSandboxEvents(receive);
    const ids = await Promise.all(Array.from({ length: 100 }, payIntent));
    await expect.poll(countWaiting, { timeout: 30_000 }).toBe(0);
    for (const id of ids)
      expect(listReceived(id).map((event) => event.type)).toEqual(["payment_intent.succeeded"]);
    const twice = [...received].filter(([, event]) => event.count === 2).map(([id]) => id);
    const planned = [...received.keys()].filter((id) => {
      const { together, later } = plannedCopies(id);
      return together + later === 2;
    });
    console.log(`100 events, ${twice.length} of them twice`);
    expect(twice.sort()).toEqual(planned.sort());
    expect(twice.length).toBeGreaterThan(4);
    expect(twice.length).toBeLessThan(42);
  });

  it("are sent again until the receiver responds 2xx (500, no response, 404, 200)", async () => {
    const responses = [
      async () => 500,
      async () => {
        throw new Error("no response");
      },
      async () => 404,
    ];
    let attempts = 0;
    receiveSandboxEvents((body, signature) => (responses[attempts++] ?? (() => receive(body, signature)))());
    const id = await payIntent();
    for (let n = 0; n < 8 && listReceived(id).length === 0; n += 1) {
      await makeAllDue();
      await deliverSandboxEvents();
    }
    expect(listReceived(id)).toHaveLength(1);
    expect(attempts).toBeGreaterThanOrEqual(4);
  });

  it("are sent by the tick after the process that claimed them was killed", async () => {
    receiveSandboxEvents(async () => {
      throw new Error("no response");
    });
    const ids = [await payIntent(), await payIntent()];
    await expect
      .poll(() =>
        db.execute(sql`select 1 from sandbox_events where last_response is not null and due_at is not null`),
      )
      .toHaveLength(2);
    // The state after a process dies between claiming and sending an event: one attempt, due after the lease.
    await db.execute(sql`update sandbox_events set attempts = 1, due_at = shop_now() + interval '30 seconds'
      where due_at is not null`);
    receiveSandboxEvents(receive);
    expect(await deliverSandboxEvents()).toBe(0);
    await makeAllDue();
    expect(await deliverSandboxEvents()).toBeGreaterThanOrEqual(2);
    for (const id of ids) expect(listReceived(id)).toHaveLength(1);
  });
});
