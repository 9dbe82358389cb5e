import { sql } from "drizzle-orm";
import Stripe from "stripe";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { POST as confirm } from "@/app/api/v1/payment/sandbox/confirm/route";
import { POST as webhook } from "@/app/api/v1/payment/stripe/webhook/route";
import { closeDatabase, db } from "@/db/client";
import { createSignedInUser, type SignedInUser } from "@/db/factories/accounts";
import { newId } from "@/lib/platform/crypto/ids";
import { env } from "@/lib/platform/env";
import { paymentProvider } from "@/lib/platform/stripe/provider";
import { clearSandboxFaults, dropSandboxEvents } from "../setup/stripe-faults";
import { call } from "./call";

let buyer: SignedInUser;
let other: SignedInUser;
beforeAll(async () => {
  dropSandboxEvents();
  [buyer, other] = await Promise.all([createSignedInUser(), createSignedInUser()]);
});
afterAll(async () => {
  clearSandboxFaults();
  await closeDatabase();
});

/** An order of $4.99 with an open intent, as create-payment-intent leaves it. */
async function createPayableOrder(userId: string) {
  const [orderId, paymentId] = [newId("ord"), newId("pay")];
  await db.execute(sql`insert into orders (id, user_id, send_email, locale, subtotal_cents, total_cents, hold_ends_at)
    values (${orderId}, ${userId}, 'buyer@example.com', 'en', 499, 499, shop_now() + interval '30 minutes')`);
  const intent = await paymentProvider().createIntent({
    orderId,
    paymentId,
    items: "1x1",
    amountCents: 499,
    currency: "usd",
    description: "A pass",
    email: "buyer@example.com",
    idempotencyKey: paymentId,
  });
  await db.execute(sql`insert into payments (id, order_id, intent_id, state, amount_cents, currency, receipt_email)
    values (${paymentId}, ${orderId}, ${intent.id}, ${intent.state}, 499, 'usd', 'buyer@example.com')`);
  return intent;
}
const confirmPayment = (client_secret: string, outcome: string, user?: SignedInUser) =>
  call(confirm, "/payment/sandbox/confirm", {
    body: { client_secret, outcome },
    headers: user ? { authorization: user.bearer } : {},
  });
const postEvent = (raw: string, signature?: string) =>
  call(webhook, "/payment/stripe/webhook", {
    raw,
    headers: signature ? { "stripe-signature": signature } : {},
  });
const eventBody = (id: string, more: object = {}) =>
  JSON.stringify({
    id,
    object: "event",
    type: "payment_intent.processing",
    api_version: Stripe.API_VERSION,
    created: Math.floor(Date.now() / 1000),
    livemode: false,
    data: { object: { id: "pi_nobody", object: "payment_intent" } },
    ...more,
  });
const sign = (payload: string) =>
  Stripe.webhooks.generateTestHeaderString({ payload, secret: env().STRIPE_WEBHOOK_SECRET });
const countStored = async (id: string) =>
  (await db.execute(sql`select id from webhook_events where id = ${id}`)).length;

describe("POST /payment/sandbox/confirm", () => {
  it("returns the status of the outcome, to the buyer only", async () => {
    const intent = await createPayableOrder(buyer.id);
    expect((await confirmPayment(intent.clientSecret, "succeeded")).body.code).toBe("401");
    const foreign = await confirmPayment(intent.clientSecret, "succeeded", other);
    const missing = await confirmPayment(`${intent.clientSecret}x`, "succeeded", other);
    expect(foreign.body).toEqual(missing.body);
    expect(foreign.body.code).toBe("40402");
    expect((await paymentProvider().retrieveIntent(intent.id)).state).toBe("requires_payment_method");
    expect((await confirmPayment(intent.clientSecret, "declined", buyer)).body.data).toEqual({
      status: "requires_payment_method",
      redirect_url: null,
    });
    expect((await confirmPayment(intent.clientSecret, "succeeded", buyer)).body.data).toEqual({
      status: "succeeded",
      redirect_url: null,
    });
    expect((await confirmPayment(intent.clientSecret, "declined", buyer)).body.data).toEqual({
      status: "succeeded",
      redirect_url: null,
    });
    expect((await confirmPayment(intent.clientSecret, "paid", buyer)).body.code).toBe("40000");
  });

  it("does not exist outside the sandbox", async () => {
    const intent = await createPayableOrder(buyer.id);
    const settings = env();
    settings.PAYMENT_MODE = "test";
    try {
      expect((await confirmPayment(intent.clientSecret, "succeeded", buyer)).body.code).toBe("40400");
    } finally {
      settings.PAYMENT_MODE = "sandbox";
    }
  });
});

describe("POST /payment/stripe/webhook", () => {
  it("stores a signed event once: 100 deliveries, 10 at a time", async () => {
    const id = newId("evt");
    const body = eventBody(id);
    for (let round = 0; round < 10; round += 1) {
      const responses = await Promise.all(Array.from({ length: 10 }, () => postEvent(body, sign(body))));
      expect(responses.map((response) => response.status)).toEqual(Array(10).fill(200));
    }
    expect(await countStored(id)).toBe(1);
  });

  it("rejects and does not store an event without a signature, with a wrong one, of the other livemode, or too large", async () => {
    const id = newId("evt");
    const [body, live] = [eventBody(id), eventBody(id, { livemode: true })];
    const large = eventBody(id, { note: "x".repeat(256 * 1024) });
    expect((await postEvent(body)).status).toBe(400);
    expect((await postEvent(body, sign(live))).status).toBe(400);
    expect((await postEvent(live, sign(live))).status).toBe(400);
    expect((await postEvent(large, sign(large))).status).toBe(413);
    expect(await countStored(id)).toBe(0);
  });

  it("rejects a signature that is too old or in the future", async () => {
    const id = newId("evt");
    const body = eventBody(id);
    // 10 seconds beyond the limit, because the clock goes on between signing and checking.
    for (const shift of [-301, 310]) {
      const timestamp = Math.floor(Date.now() / 1000) + shift;
      const secret = env().STRIPE_WEBHOOK_SECRET;
      const header = Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp });
      expect((await postEvent(body, header)).status).toBe(400);
    }
    expect(await countStored(id)).toBe(0);
  });

  it("responds 2xx only after the event is stored, so that Stripe sends it again otherwise", async () => {
    const id = newId("evt");
    const body = eventBody(id);
    await db.execute(sql`alter table webhook_events add constraint rejects_all check (false) not valid`);
    expect((await postEvent(body, sign(body))).status).toBe(500);
    await db.execute(sql`alter table webhook_events drop constraint rejects_all`);
    expect(await countStored(id)).toBe(0);
    expect((await postEvent(body, sign(body))).status).toBe(200);
    expect(await countStored(id)).toBe(1);
  });

  it("queues a job for a dispute, and marks an event about no payment as processed", async () => {
    const [dispute, balance] = [newId("evt"), newId("evt")];
    const data = { object: { id: "du_nobody", object: "dispute", payment_intent: "pi_nobody" } };
    const disputeEvent = eventBody(dispute, { type: "charge.dispute.created", data });
    const balanceEvent = eventBody(balance, {
      type: "balance.available",
      data: { object: { object: "balance" } },
    });
    expect((await postEvent(disputeEvent, sign(disputeEvent))).status).toBe(200);
    expect((await postEvent(balanceEvent, sign(balanceEvent))).status).toBe(200);
    const jobs = await db.execute<{ task: string }>(
      sql`select task_identifier as task from graphile_worker.jobs where key in (${dispute}, ${balance})`,
    );
    expect(jobs.map((job) => job.task)).toEqual(["update-dispute"]);
    const [row] = await db.execute<{ done: boolean }>(
      sql`select processed_at is not null as done from webhook_events where id = ${balance}`,
    );
    expect(row?.done).toBe(true);
  });
});
