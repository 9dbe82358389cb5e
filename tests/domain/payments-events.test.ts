import { sql } from "drizzle-orm";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { db } from "@/db/client";
import { createSinglePlan } from "@/db/factories/catalog";
import { sweepJob } from "@/lib/orders/jobs";
import { settlePayment } from "@/lib/orders/payment/settle-payment";
import type { SandboxOutcome } from "@/lib/payments/rules";
import { newId } from "@/lib/platform/crypto/ids";
import { confirmSandboxIntent } from "@/lib/platform/stripe/sandbox/confirm";
import { rounds } from "@/tests/setup/rounds";
import { auditSale } from "../setup/audit";
import * as sale from "../setup/sale";
import { dropSandboxEvents } from "../setup/stripe-faults";
import { deliverEvent, settleNow } from "../setup/webhook-events";

let buyer: sale.Buyer;
let planId: number;
beforeAll(async () => {
  dropSandboxEvents(); // each test delivers events itself
  buyer = await sale.createBuyer();
  planId = (await createSinglePlan({ keys: 200 })).id;
});
afterEach(async () => expect(await auditSale()).toEqual([]));
afterAll(sale.closeSale);

type StoredEvent = { type: string; payload: { id: string } };
const findEvents = (intentId: string) =>
  db.execute<StoredEvent>(sql`select type, payload from sandbox_events
    where payload->'data'->'object'->>'id' = ${intentId} order by created_at`);

/** A payment with four events: authentication, refusal, processing and success. */
async function createPaymentWithEvents() {
  const id = await sale.orderPlan(buyer, planId);
  const { intentId, clientSecret } = await sale.openPayment(buyer, id);
  for (const outcome of ["requires_action", "declined", "processing_succeeded"] as const)
    await confirmSandboxIntent(clientSecret, outcome);
  await settleNow(intentId);
  await confirmSandboxIntent(clientSecret, "succeeded"); // a read of the intent settles it
  const events = await findEvents(intentId);
  expect(events.map(({ type }) => type.replace("payment_intent.", ""))).toEqual([
    "requires_action",
    "payment_failed",
    "processing",
    "succeeded",
  ]);
  return { id, intentId, events };
}

function permutations<T>(items: T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) =>
    permutations(items.toSpliced(index, 1)).map((others) => [item, ...others]),
  );
}

describe("the four events of a payment", () => {
  it("lead to the same final state in any order", async () => {
    // `npm test` runs every other one of the 24: each event comes first in three of them.
    const orders = permutations([0, 1, 2, 3]).filter((_, index) => index % rounds(1, 2) === 0);
    for (const order of orders) {
      const { id, events } = await createPaymentWithEvents();
      for (const index of order) {
        await deliverEvent(events[index]!.payload);
        if (order[0] === index) await sale.runQueue(); // runs the jobs between the first event and the others
      }
      await sale.runQueue();
      expect(await sale.listOrderEvents(id)).toEqual([
        "created",
        "payment_verified",
        "assigned",
        "delivered",
      ]);
      expect(await sale.listOrderMails(id)).toEqual(["keys sent"]);
    }
    console.log(`event order: ${orders.length} of 24 permutations of 4 events, one final state`);
  });
});

describe("replayed events", () => {
  it("change nothing, 100 times each and 10 at a time", async () => {
    const { id, intentId, events } = await createPaymentWithEvents();
    for (const { payload } of events) await deliverEvent(payload);
    await sale.runQueue();
    const before = await sale.getOrderRecord(id);
    for (let round = 0; round < 10; round++) {
      const deliveries = events.flatMap(({ payload }) =>
        Array.from({ length: 10 }, () => deliverEvent(payload)),
      );
      await Promise.all(deliveries);
    }
    // the same number with new ids
    for (let round = 0; round < 10; round++)
      await Promise.all(
        Array.from({ length: 10 }, () => deliverEvent({ ...events[3]!.payload, id: newId("evt") })),
      );
    await sale.runQueue();
    await Promise.all(Array.from({ length: 20 }, () => settlePayment(intentId)));
    await sweepJob.run(undefined);
    expect(await sale.getOrderRecord(id)).toBe(before);
    console.log("replays: 4 events × 100, and 100 under new ids: 0 changes");
  });
});

const SEED = Number(process.env.SALE_SEED ?? 20261120);
const step = fc.oneof(
  fc.record({
    do: fc.constant("attempt" as const),
    outcome: fc.constantFrom("declined", "requires_action", "processing_failed"),
  }),
  fc.record({ do: fc.constant("event" as const), index: fc.nat(9) }),
  fc.constantFrom(
    { do: "bank" as const },
    { do: "work" as const },
    { do: "sweep" as const },
    { do: "settle" as const },
  ),
);

describe("any sequence of attempts, events, jobs and sweeps", () => {
  it("that ends with a successful payment delivers once, even with events reordered, repeated or lost", async () => {
    let lostRuns = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 3, maxLength: 14 }),
        fc.boolean(),
        async (steps, webhooksLost) => {
          const id = await sale.orderPlan(buyer, planId);
          const { intentId, clientSecret } = await sale.openPayment(buyer, id);
          const actions = {
            bank: () => settleNow(intentId),
            work: () => sale.runQueue(),
            sweep: () => sweepJob.run(undefined),
            settle: () => settlePayment(intentId),
          };
          for (const current of steps) {
            if (current.do === "attempt")
              await confirmSandboxIntent(clientSecret, current.outcome as SandboxOutcome);
            else if ("index" in current) {
              const events = await findEvents(intentId);
              const event = events[current.index % Math.max(1, events.length)];
              if (event && !webhooksLost) await deliverEvent(event.payload);
            } else await actions[current.do]();
          }
          await settleNow(intentId);
          await confirmSandboxIntent(clientSecret, "declined"); // settles a processing payment, otherwise one more refusal
          await confirmSandboxIntent(clientSecret, "succeeded");
          if (webhooksLost) {
            lostRuns++;
            await sale.setClockAhead("3 minutes");
            await sweepJob.run(undefined);
            await sale.setClockAhead("0");
          } else for (const { payload } of await findEvents(intentId)) await deliverEvent(payload);
          await sale.runQueue();
          expect(await sale.getOrderStatus(id)).toBe("completed");
          const history = await sale.listOrderEvents(id);
          expect(history.filter((event) => !["payment_started", "payment_failed"].includes(event))).toEqual([
            "created",
            "payment_verified",
            "assigned",
            "delivered",
          ]);
          expect((await sale.listOrderMails(id)).filter((mail) => mail.startsWith("keys"))).toEqual([
            "keys sent",
          ]);
        },
      ),
      { numRuns: 25, seed: SEED, endOnFailure: true },
    );
    console.log(
      `payment sequences: n=25 seed=${SEED}, ${lostRuns} of them without any webhook: 25 delivered once`,
    );
  });
});
