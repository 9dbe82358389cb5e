import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { closeDatabase } from "@/db/client";
import { newId } from "@/lib/platform/crypto/ids";
import { isProviderError } from "@/lib/platform/stripe/errors";
import { type CreateIntentInput, paymentProvider } from "@/lib/platform/stripe/provider";
import { confirmSandboxIntent, type Outcome } from "@/lib/platform/stripe/sandbox/confirm";
import { clearSandboxFaults, dropSandboxEvents } from "../setup/stripe-faults";

vi.setConfig({ testTimeout: 60_000 });
const provider = paymentProvider();
beforeAll(dropSandboxEvents);
afterAll(async () => {
  clearSandboxFaults();
  await closeDatabase();
});

const intentInput = (more: Partial<CreateIntentInput> = {}): CreateIntentInput => ({
  orderId: newId("ord"),
  paymentId: newId("pay"),
  amountCents: 499,
  currency: "usd",
  description: "A day of Inkwell",
  email: "buyer@passlane.example",
  idempotencyKey: newId("key"),
  ...more,
});
const createIntent = (more: Partial<CreateIntentInput> = {}) => provider.createIntent(intentInput(more));
const payIntent = async (amountCents: number) => {
  const intent = await createIntent({ amountCents });
  await confirmSandboxIntent(intent.clientSecret, "succeeded");
  return intent.id;
};
const refundOf = (intentId: string, amountCents: number, idempotencyKey = newId("key")) =>
  provider.refund({ intentId, refundId: newId("ref"), amountCents, idempotencyKey });
const failure = (call: Promise<unknown>) =>
  call.then(
    () => "no failure",
    (error: unknown) => (isProviderError(error) ? `${error.kind} ${error.code}` : String(error)),
  );

describe("an intent of the sandbox", () => {
  it("has the requested values and starts unpaid", async () => {
    const input = intentInput();
    const intent = await provider.createIntent(input);
    expect(intent).toMatchObject({
      state: "requires_payment_method",
      amountCents: 499,
      amountReceivedCents: 0,
      metadata: { orderId: input.orderId, paymentId: input.paymentId },
      lastError: null,
      livemode: false,
    });
    expect(intent.clientSecret.startsWith(`${intent.id}_secret_`)).toBe(true);
    expect(await provider.retrieveIntent(intent.id)).toEqual(intent);
  });

  it("is refused if it is unknown or below the least amount, with Stripe's codes", async () => {
    expect(await failure(provider.retrieveIntent("pi_unknown"))).toBe("unknown_object resource_missing");
    expect(await failure(provider.cancelIntent("pi_unknown"))).toBe("unknown_object resource_missing");
    expect(await failure(provider.retrieveRefund("re_unknown"))).toBe("unknown_object resource_missing");
    expect(await failure(refundOf("pi_unknown", 100))).toBe("unknown_object resource_missing");
    expect(await failure(createIntent({ amountCents: 49 }))).toBe("refused amount_too_small");
    expect(await confirmSandboxIntent("pi_unknown_secret_x", "succeeded")).toBeNull();
  });

  it.each<[Outcome, string, string | null]>([
    ["succeeded", "succeeded", null],
    ["declined", "requires_payment_method", "card_declined"],
    ["requires_action", "requires_action", null],
    ["processing_succeeded", "processing", null],
    ["processing_failed", "processing", null],
    ["silent", "processing", null],
  ])("confirmed with the outcome %s becomes %s", async (outcome, state, error) => {
    const intent = await createIntent();
    const confirmed = await confirmSandboxIntent(intent.clientSecret, outcome);
    expect(confirmed).toMatchObject({ intent: { id: intent.id, status: state }, accepted: true });
    const now = await provider.retrieveIntent(intent.id);
    expect(now.state).toBe(state);
    expect(now.lastError?.code ?? null).toBe(error);
    expect(now.amountReceivedCents).toBe(state === "succeeded" ? 499 : 0);
  });

  it("can be confirmed again after a decline and after authentication, not once it is decided", async () => {
    const intent = await createIntent();
    const states = [];
    for (const outcome of [
      "declined",
      "requires_action",
      "declined",
      "requires_action",
      "succeeded",
      "declined",
    ] as const) {
      const confirmed = await confirmSandboxIntent(intent.clientSecret, outcome);
      states.push(`${confirmed?.intent.status} ${confirmed?.accepted}`);
      if (states.length === 3) {
        const { lastError } = await provider.retrieveIntent(intent.id);
        expect(lastError).toEqual({ code: "payment_intent_authentication_failure", declineCode: null });
      }
    }
    expect(states).toEqual([
      "requires_payment_method true",
      "requires_action true",
      "requires_payment_method true",
      "requires_action true",
      "succeeded true",
      "succeeded false",
    ]);
  });

  it("stays canceled, also when canceled twice; cannot be canceled when paid or processing", async () => {
    const open = await createIntent();
    expect((await provider.cancelIntent(open.id)).state).toBe("canceled");
    expect((await provider.cancelIntent(open.id)).state).toBe("canceled");
    const late = await confirmSandboxIntent(open.clientSecret, "succeeded");
    expect(late).toMatchObject({ intent: { status: "canceled" }, accepted: false });
    expect(await failure(provider.cancelIntent(await payIntent(499)))).toBe(
      "refused payment_intent_unexpected_state",
    );
    const processing = await createIntent();
    await confirmSandboxIntent(processing.clientSecret, "processing_succeeded");
    expect(await failure(provider.cancelIntent(processing.id))).toBe(
      "refused payment_intent_unexpected_state",
    );
    const silent = await createIntent();
    await confirmSandboxIntent(silent.clientSecret, "silent");
    expect((await provider.cancelIntent(silent.id)).state).toBe("canceled");
  });
});

describe("the same Idempotency-Key", () => {
  it("returns the same intent: 50 concurrent requests, one intent", async () => {
    const input = intentInput();
    const intents = await Promise.all(Array.from({ length: 50 }, () => provider.createIntent(input)));
    expect(new Set(intents.map((intent) => intent.id)).size).toBe(1);
  });

  it("with another value is refused", async () => {
    const input = intentInput();
    await provider.createIntent(input);
    const others: Partial<CreateIntentInput>[] = [
      { amountCents: 500 },
      { currency: "eur" },
      { orderId: "ord_other" },
      { email: "another@passlane.example" },
    ];
    for (const other of others) {
      expect(await failure(provider.createIntent({ ...input, ...other }))).toBe("refused idempotency_error");
    }
    const { idempotencyKey } = input;
    expect(await failure(refundOf(await payIntent(499), 100, idempotencyKey))).toBe(
      "refused idempotency_error",
    );
  });

  it("returns the same refusal again, also if the call would succeed now", async () => {
    const intent = await createIntent();
    const key = newId("key");
    const refund = { intentId: intent.id, refundId: newId("ref"), amountCents: 100, idempotencyKey: key };
    expect(await failure(provider.refund(refund))).toBe("refused payment_intent_unexpected_state");
    await confirmSandboxIntent(intent.clientSecret, "succeeded");
    expect(await failure(provider.refund(refund))).toBe("refused payment_intent_unexpected_state");
    expect((await provider.refund({ ...refund, idempotencyKey: newId("key") })).state).toBe("succeeded");
  });
});

describe("a refund", () => {
  it("never exceeds the payment: 20 concurrent refunds of 100 cents on 1,000, 10 succeed", async () => {
    const intentId = await payIntent(1_000);
    const results = await Promise.all(Array.from({ length: 20 }, () => failure(refundOf(intentId, 100))));
    const count = (wanted: string) => results.filter((result) => result === wanted).length;
    expect({ succeeded: count("no failure"), refused: count("refused charge_already_refunded") }).toEqual({
      succeeded: 10,
      refused: 10,
    });
  });

  it("of more than is left is refused, of exactly the rest succeeds", async () => {
    const intentId = await payIntent(1_000);
    const first = await refundOf(intentId, 600);
    expect(first).toMatchObject({ state: "succeeded", amountCents: 600, intentId, failureReason: null });
    expect(await provider.retrieveRefund(first.id)).toEqual(first);
    expect(await failure(refundOf(intentId, 401))).toBe("refused null");
    expect((await refundOf(intentId, 400)).amountCents).toBe(400);
    expect(await failure(refundOf(intentId, 1))).toBe("refused charge_already_refunded");
  });
});
