import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { closeDatabase, db } from "@/db/client";
import { newId } from "@/lib/platform/crypto/ids";
import { paymentProvider } from "@/lib/platform/stripe/provider";
import { copiesOf, deliverSandboxEvents } from "@/lib/platform/stripe/sandbox/delivery";
import {
  clearSandboxFaults,
  holdSandboxEvents,
  receiveSandboxEvents,
} from "@/lib/platform/stripe/sandbox/faults";
import { confirmSandboxIntent } from "@/lib/platform/stripe/sandbox/sandbox";

vi.setConfig({ testTimeout: 60_000 });
const provider = paymentProvider();
const received = new Map<string, { count: number; type: string; intentId: string | null }>();
const receive = async (body: string, signature: string) => {
  const { id, type, intentId } = provider.parseWebhook(body, signature);
  received.set(id, { count: (received.get(id)?.count ?? 0) + 1, type, intentId });
  return 200;
};
const of = (intentId: string) => [...received.values()].filter((event) => event.intentId === intentId);
const paid = async () => {
  const intent = await provider.createIntent({
    orderId: "ord_1",
    paymentId: "pay_1",
    amountCents: 499,
    currency: "usd",
    description: "A pass",
    email: "buyer@passlane.example",
    idempotencyKey: newId("key"),
  });
  await confirmSandboxIntent(intent.clientSecret, "succeeded");
  return intent.id;
};
const waiting = async () => {
  const [row] = await db.execute<{ n: number }>(
    sql`select count(*)::int as n from sandbox_events where due_at is not null`,
  );
  return row?.n;
};
const allDue = () =>
  db.execute(
    sql`update sandbox_events set due_at = shop_now() - interval '1 second' where due_at is not null`,
  );

beforeEach(async () => {
  await db.execute(sql`update sandbox_events set due_at = null`);
  received.clear();
});
afterEach(() => clearSandboxFaults());
afterAll(() => closeDatabase());

describe("notices of the sandbox", () => {
  it("come by themselves, signed, and about one in five twice: 100 payments", async () => {
    receiveSandboxEvents(receive);
    const ids = await Promise.all(Array.from({ length: 100 }, paid));
    await expect.poll(waiting, { timeout: 30_000 }).toBe(0);
    for (const id of ids) expect(of(id).map((event) => event.type)).toEqual(["payment_intent.succeeded"]);
    const twice = [...received].filter(([, event]) => event.count === 2).map(([id]) => id);
    const planned = [...received.keys()].filter((id) => copiesOf(id).together + copiesOf(id).later === 2);
    console.log(`100 notices, ${twice.length} of them twice`);
    expect(twice.sort()).toEqual(planned.sort());
    expect(twice.length).toBeGreaterThan(4);
    expect(twice.length).toBeLessThan(42);
  });

  it("come again until they are taken: refused, no answer, refused, then taken", async () => {
    const answers = [
      async () => 500,
      async () => {
        throw new Error("no answer");
      },
      async () => 404,
    ];
    let tries = 0;
    receiveSandboxEvents((body, signature) => (answers[tries++] ?? (() => receive(body, signature)))());
    const id = await paid();
    for (let n = 0; n < 8 && of(id).length === 0; n += 1) {
      await allDue();
      await deliverSandboxEvents();
    }
    expect(of(id)).toHaveLength(1);
    expect(tries).toBeGreaterThanOrEqual(4);
  });

  it("wait when nobody can send them, and the tick sends what a killed process had in hand", async () => {
    holdSandboxEvents();
    const ids = [await paid(), await paid()];
    await deliverSandboxEvents();
    expect(received.size).toBe(0);
    expect(await waiting()).toBe(2);
    // as a process leaves it that dies between taking a notice and sending it: due later, attempts counted
    await db.execute(sql`update sandbox_events set attempts = 1, due_at = shop_now() + interval '30 seconds'
      where due_at is not null`);
    clearSandboxFaults();
    receiveSandboxEvents(receive);
    expect(await deliverSandboxEvents()).toBe(0);
    await allDue();
    expect(await deliverSandboxEvents()).toBeGreaterThanOrEqual(2);
    for (const id of ids) expect(of(id)).toHaveLength(1);
  });
});
