import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeDatabase } from "@/db/client";
import { newId } from "@/lib/platform/crypto/ids";
import { isProviderError } from "@/lib/platform/stripe/errors";
import { type CreateIntentInput, paymentProvider } from "@/lib/platform/stripe/provider";
import { confirmSandboxIntent, type Outcome } from "@/lib/platform/stripe/sandbox/confirm";
import { clearSandboxFaults, dropSandboxEvents } from "../setup/stripe-faults";

const provider = paymentProvider();
beforeAll(dropSandboxEvents);
afterAll(async () => {
  clearSandboxFaults();
  await closeDatabase();
});

const intentInput = (fields: Partial<CreateIntentInput> = {}): CreateIntentInput => ({
  orderId: newId("ord"),
  paymentId: newId("pay"),
  items: "1x1",
  amountCents: 499,
  currency: "usd",
  description: "A day of Inkwell",
  email: "buyer@passlane.example",
  idempotencyKey: newId("key"),
  ...fields,
});
const createIntent = (fields: Partial<CreateIntentInput> = {}) => provider.createIntent(intentInput(fields));
const payIntent = async (amountCents: number) => {
  const intent = await createIntent({ amountCents });
  await confirmSandboxIntent(intent.clientSecret, "succeeded");
  return intent.id;
};
const createRefund = (intentId: string, amountCents: number, idempotencyKey = newId("key")) =>
  provider.refund({ intentId, refundId: newId("ref"), amountCents, idempotencyKey });
const getFailure = (call: Promise<unknown>) =>
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
      items: "1x1",
      amountCents: 499,
      amountReceivedCents: 0,
      metadata: { orderId: input.orderId, paymentId: input.paymentId },
      lastError: null,
      livemode: false,
    });
    expect(intent.clientSecret.startsWith(`${intent.id}_secret_`)).toBe(true);
    expect(await provider.retrieveIntent(intent.id)).toEqual(intent);
  });

  it("is rejected if unknown or below the minimum amount, with Stripe's codes", async () => {
    expect(await getFailure(provider.retrieveIntent("pi_unknown"))).toBe("unknown_object resource_missing");
    expect(await getFailure(provider.cancelIntent("pi_unknown"))).toBe("unknown_object resource_missing");
    expect(await getFailure(provider.retrieveRefund("re_unknown"))).toBe("unknown_object resource_missing");
    expect(await getFailure(createRefund("pi_unknown", 100))).toBe("unknown_object resource_missing");
    expect(await getFailure(createIntent({ amountCents: 49 }))).toBe("refused amount_too_small");
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
    const updated = await provider.retrieveIntent(intent.id);
    expect(updated.state).toBe(state);
    expect(updated.lastError?.code ?? null).toBe(error);
    expect(updated.amountReceivedCents).toBe(state === "succeeded" ? 499 : 0);
  });

  it("can be confirmed again after a decline and after authentication, but not after success", async () => {
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

  it("stays canceled when canceled twice, and cannot be canceled when paid or processing", async () => {
    const openIntent = await createIntent();
    expect((await provider.cancelIntent(openIntent.id)).state).toBe("canceled");
    expect((await provider.cancelIntent(openIntent.id)).state).toBe("canceled");
    const lateConfirmation = await confirmSandboxIntent(openIntent.clientSecret, "succeeded");
    expect(lateConfirmation).toMatchObject({ intent: { status: "canceled" }, accepted: false });
    expect(await getFailure(provider.cancelIntent(await payIntent(499)))).toBe(
      "refused payment_intent_unexpected_state",
    );
    const processing = await createIntent();
    await confirmSandboxIntent(processing.clientSecret, "processing_succeeded");
    expect(await getFailure(provider.cancelIntent(processing.id))).toBe(
      "refused payment_intent_unexpected_state",
    );
    const silent = await createIntent();
    await confirmSandboxIntent(silent.clientSecret, "silent");
    expect((await provider.cancelIntent(silent.id)).state).toBe("canceled");
  });
});

describe("the same Idempotency-Key", () => {
  it("returns the same intent to 50 concurrent requests", async () => {
    const input = intentInput();
    const intents = await Promise.all(Array.from({ length: 50 }, () => provider.createIntent(input)));
    expect(new Set(intents.map((intent) => intent.id)).size).toBe(1);
  });

  it("with other values is rejected", async () => {
    const input = intentInput();
    await provider.createIntent(input);
    const changes: Partial<CreateIntentInput>[] = [
      { amountCents: 500 },
      { currency: "eur" },
      { orderId: "ord_other" },
      { email: "another@passlane.example" },
    ];
    for (const change of changes) {
      expect(await getFailure(provider.createIntent({ ...input, ...change }))).toBe(
        "refused idempotency_error",
      );
    }
    const { idempotencyKey } = input;
    expect(await getFailure(createRefund(await payIntent(499), 100, idempotencyKey))).toBe(
      "refused idempotency_error",
    );
  });

  it("returns the same error again, even if the call would succeed now", async () => {
    const intent = await createIntent();
    const key = newId("key");
    const refund = { intentId: intent.id, refundId: newId("ref"), amountCents: 100, idempotencyKey: key };
    expect(await getFailure(provider.refund(refund))).toBe("refused payment_intent_unexpected_state");
    await confirmSandboxIntent(intent.clientSecret, "succeeded");
    expect(await getFailure(provider.refund(refund))).toBe("refused payment_intent_unexpected_state");
    expect((await provider.refund({ ...refund, idempotencyKey: newId("key") })).state).toBe("succeeded");
  });
});

describe("a refund", () => {
  it("never exceeds the payment: of 20 concurrent refunds of 100 cents on 1,000, 10 succeed", async () => {
    const intentId = await payIntent(1_000);
    const results = await Promise.all(
      Array.from({ length: 20 }, () => getFailure(createRefund(intentId, 100))),
    );
    const count = (outcome: string) => results.filter((result) => result === outcome).length;
    expect({ succeeded: count("no failure"), refused: count("refused charge_already_refunded") }).toEqual({
      succeeded: 10,
      refused: 10,
    });
  });

  it("above the remaining amount is rejected, and of the exact remainder succeeds", async () => {
    const intentId = await payIntent(1_000);
    const first = await createRefund(intentId, 600);
    expect(first).toMatchObject({ state: "succeeded", amountCents: 600, intentId, failureReason: null });
    expect(await provider.retrieveRefund(first.id)).toEqual(first);
    expect(await getFailure(createRefund(intentId, 401))).toBe("refused null");
    expect((await createRefund(intentId, 400)).amountCents).toBe(400);
    expect(await getFailure(createRefund(intentId, 1))).toBe("refused charge_already_refunded");
  });
});
