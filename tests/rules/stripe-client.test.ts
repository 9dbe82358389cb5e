import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { PAYMENT_STATES, SANDBOX_OUTCOMES, type SandboxOutcome } from "@/lib/payments/rules";
import { isProviderError } from "@/lib/platform/stripe/errors";
import { paymentProvider } from "@/lib/platform/stripe/provider";
import type { Outcome } from "@/lib/platform/stripe/sandbox/confirm";
import { INTENT_STATES } from "@/lib/platform/stripe/views";

/** The payment provider against a local HTTP server, by STRIPE_API_BASE. */
const settings = vi.hoisted(() => ({
  PAYMENT_MODE: "test",
  STRIPE_SECRET_KEY: "sk_test_1",
  STRIPE_API_BASE: "",
  LOG_LEVEL: "silent",
}));
vi.mock("@/lib/platform/env", () => ({ env: () => settings }));

type Reply = { status: number; body: string; type?: string };
let reply: Reply;
const requests: { method?: string; url?: string; key?: string; body: string }[] = [];
const server = createServer(async (request, response) => {
  let body = "";
  for await (const part of request) body += part;
  requests.push({
    method: request.method,
    url: request.url,
    key: String(request.headers["idempotency-key"]),
    body,
  });
  response.writeHead(reply.status, {
    "content-type": reply.type ?? "application/json",
    "stripe-should-retry": "false",
  });
  response.end(reply.body);
});
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  settings.STRIPE_API_BASE = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());
beforeEach(() => requests.splice(0));

const intent = {
  id: "pi_1",
  object: "payment_intent",
  status: "processing",
  amount: 499,
  amount_received: 0,
  currency: "usd",
  client_secret: "pi_1_secret_1",
  livemode: false,
  metadata: { order_id: "ord_1", payment_id: "pay_1" },
  last_payment_error: null,
};
const json = (body: unknown, status = 200): Reply => ({ status, body: JSON.stringify(body) });
const retrieve = () => paymentProvider().retrieveIntent("pi_1");
const errorKind = async (response: Reply, call: () => Promise<unknown> = retrieve) => {
  reply = response;
  return call().then(
    () => "accepted",
    (error) => (isProviderError(error) ? error.kind : String(error)),
  );
};

describe("a response of the provider", () => {
  it("is parsed into a view", async () => {
    reply = json(intent);
    expect(await paymentProvider().retrieveIntent("pi_1")).toEqual({
      id: "pi_1",
      state: "processing",
      amountCents: 499,
      amountReceivedCents: 0,
      currency: "usd",
      clientSecret: "pi_1_secret_1",
      metadata: { orderId: "ord_1", paymentId: "pay_1" },
      items: null,
      lastError: null,
      customerId: null,
      keepsCard: false,
      paidWith: null,
      method: null,
      livemode: false,
    });
    expect(requests).toMatchObject([
      { method: "GET", url: "/v1/payment_intents/pi_1?expand[0]=latest_charge&expand[1]=payment_method" },
    ]);
  });

  it("has the payment method of an expanded charge, the wallet rather than the card, and none for a charge that is only an id", async () => {
    const readPaidWith = async (latest_charge: unknown) => {
      reply = json({ ...intent, latest_charge });
      return (await retrieve()).paidWith;
    };
    const card = { brand: "visa", fingerprint: "fp_1", wallet: null };
    const charge = (payment_method_details: unknown) => ({ id: "ch_1", payment_method_details });
    expect(await readPaidWith("ch_1")).toBeNull();
    expect(await readPaidWith(null)).toBeNull();
    expect(await readPaidWith(charge({ type: "card", card }))).toEqual({
      method: "card",
      cardFingerprint: "fp_1",
      cardCountry: null,
    });
    expect(await readPaidWith(charge({ type: "card", card: { ...card, country: "DE" } }))).toMatchObject({
      cardCountry: "DE",
    });
    expect(
      await readPaidWith(charge({ type: "card", card: { ...card, wallet: { type: "apple_pay" } } })),
    ).toEqual({
      method: "apple_pay",
      cardFingerprint: "fp_1",
      cardCountry: null,
    });
    expect(await readPaidWith(charge({ type: "link" }))).toEqual({
      method: "link",
      cardFingerprint: null,
      cardCountry: null,
    });
    expect(await errorKind(json({ ...intent, latest_charge: charge({ type: 5 }) }))).toBe("invalid_answer");
  });

  it("of another shape, status, id or mode is rejected in 15 of 15 cases", async () => {
    const invalid: Reply[] = [
      json({}),
      json({ hello: "world" }),
      json([]),
      json(null),
      json("maintenance"),
      json(5),
      { status: 200, body: "<html>", type: "text/html" },
      { status: 200, body: "" },
      json({ ...intent, status: "paid" }),
      json({ ...intent, amount: "499" }),
      json({ ...intent, amount: -1 }),
      json({ ...intent, id: "pi_2" }),
      json({ ...intent, livemode: true }),
      json({ ...intent, object: "charge" }),
      json(intent, 404),
    ];
    const kinds = [];
    for (const response of invalid) kinds.push(await errorKind(response));
    expect(kinds).toEqual(Array(15).fill("invalid_answer"));
  });

  it("becomes a kind of ProviderError by its status and code", async () => {
    const error = (status: number, more: object) =>
      json({ error: { type: "invalid_request_error", ...more } }, status);
    expect(await errorKind(error(404, { code: "resource_missing" }))).toBe("unknown_object");
    expect(await errorKind(error(400, { code: "payment_intent_unexpected_state" }))).toBe("refused");
    expect(await errorKind(error(402, { type: "card_error", code: "card_declined" }))).toBe("refused");
    expect(await errorKind(error(400, { type: "idempotency_error" }))).toBe("refused");
    for (const status of [401, 403, 409, 429, 500, 503])
      expect(await errorKind(error(status, {}))).toBe("unavailable");
    expect(await errorKind(json({ message: "Bad gateway" }, 502))).toBe("unavailable");
    expect(await errorKind(json(intent, 502))).toBe("unavailable");
    expect(await errorKind(json({ message: "Not found" }, 404))).toBe("invalid_answer");
  });

  it("about another amount, currency, order or refund than requested is rejected", async () => {
    const input = { orderId: "ord_1", paymentId: "pay_1", amountCents: 499, currency: "usd" };
    const create = () =>
      paymentProvider().createIntent({
        ...input,
        items: "1x1",
        description: "A pass",
        email: "a@b.example",
        idempotencyKey: "pay_1",
      });
    expect(await errorKind(json(intent), create)).toBe("accepted");
    expect(requests[0]).toMatchObject({ method: "POST", url: "/v1/payment_intents", key: "pay_1" });
    expect(new URLSearchParams(requests[0]?.body).get("metadata[order_id]")).toBe("ord_1");
    const metadata = { order_id: "ord_2", payment_id: "pay_1" };
    for (const other of [{ amount: 500 }, { currency: "eur" }, { metadata }]) {
      expect(await errorKind(json({ ...intent, ...other }), create)).toBe("invalid_answer");
    }
    const refund = { id: "re_1", object: "refund", status: "pending", amount: 499, currency: "usd" };
    const refunded = { ...refund, payment_intent: "pi_1", metadata: { refund_id: "ref_1" } };
    const createRefund = () =>
      paymentProvider().refund({
        intentId: "pi_1",
        refundId: "ref_1",
        amountCents: 499,
        idempotencyKey: "ref_1",
      });
    expect(await errorKind(json(refunded), createRefund)).toBe("accepted");
    expect(await errorKind(json({ ...refunded, amount: 498 }), createRefund)).toBe("invalid_answer");
    expect(await errorKind(json({ ...refunded, payment_intent: "pi_2" }), createRefund)).toBe(
      "invalid_answer",
    );
  });
});

describe("payment states and sandbox outcomes", () => {
  it("are the same in the provider and in the payments noun", () => {
    expect(PAYMENT_STATES).toEqual(["creating", ...INTENT_STATES]);
    const outcomes: readonly Outcome[] = SANDBOX_OUTCOMES;
    const toShop = (outcome: Outcome): SandboxOutcome => outcome;
    expect(outcomes.map(toShop)).toEqual(SANDBOX_OUTCOMES);
  });
});
