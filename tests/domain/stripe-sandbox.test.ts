import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { closeDatabase } from "@/db/client";
import { newId } from "@/lib/platform/crypto/ids";
import { isProviderError } from "@/lib/platform/stripe/errors";
import { type IntentWish, paymentProvider } from "@/lib/platform/stripe/provider";
import { clearSandboxFaults, receiveSandboxEvents } from "@/lib/platform/stripe/sandbox/faults";
import { confirmSandboxIntent, type Outcome } from "@/lib/platform/stripe/sandbox/sandbox";

vi.setConfig({ testTimeout: 60_000 });
const provider = paymentProvider();
beforeAll(() => receiveSandboxEvents(async () => 200));
afterAll(async () => {
  clearSandboxFaults();
  await closeDatabase();
});

const wish = (more: Partial<IntentWish> = {}): IntentWish => ({
  orderId: newId("ord"),
  paymentId: newId("pay"),
  amountCents: 499,
  currency: "usd",
  description: "A day of Inkwell",
  email: "buyer@passlane.example",
  idempotencyKey: newId("key"),
  ...more,
});
const made = (more: Partial<IntentWish> = {}) => provider.createIntent(wish(more));
const paid = async (amountCents: number) => {
  const intent = await made({ amountCents });
  await confirmSandboxIntent(intent.clientSecret, "succeeded");
  return intent.id;
};
const back = (intentId: string, amountCents: number, idempotencyKey = newId("key")) =>
  provider.refund({ intentId, refundId: newId("ref"), amountCents, idempotencyKey });
const failure = (call: Promise<unknown>) =>
  call.then(
    () => "no failure",
    (error: unknown) => (isProviderError(error) ? `${error.kind} ${error.code}` : String(error)),
  );

describe("an intent of the sandbox", () => {
  it("keeps what it was asked for and starts unpaid", async () => {
    const asked = wish();
    const intent = await provider.createIntent(asked);
    expect(intent).toMatchObject({
      state: "requires_payment_method",
      amountCents: 499,
      amountReceivedCents: 0,
      metadata: { orderId: asked.orderId, paymentId: asked.paymentId },
      lastError: null,
      livemode: false,
    });
    expect(intent.clientSecret.startsWith(`${intent.id}_secret_`)).toBe(true);
    expect(await provider.retrieveIntent(intent.id)).toEqual(intent);
  });

  it("is unknown, or too small, as at Stripe", async () => {
    expect(await failure(provider.retrieveIntent("pi_unknown"))).toBe("unknown_object resource_missing");
    expect(await failure(provider.cancelIntent("pi_unknown"))).toBe("unknown_object resource_missing");
    expect(await failure(provider.retrieveRefund("re_unknown"))).toBe("unknown_object resource_missing");
    expect(await failure(back("pi_unknown", 100))).toBe("unknown_object resource_missing");
    expect(await failure(made({ amountCents: 49 }))).toBe("refused amount_too_small");
    expect(await confirmSandboxIntent("pi_unknown_secret_x", "succeeded")).toBeNull();
  });

  it.each<[Outcome, string, string | null]>([
    ["succeeded", "succeeded", null],
    ["declined", "requires_payment_method", "card_declined"],
    ["requires_action", "requires_action", null],
    ["processing_succeeded", "processing", null],
    ["processing_failed", "processing", null],
    ["silent", "processing", null],
  ])("confirmed with %s is %s", async (outcome, state, error) => {
    const intent = await made();
    const confirmed = await confirmSandboxIntent(intent.clientSecret, outcome);
    expect(confirmed).toEqual({ intentId: intent.id, status: state, accepted: true });
    const now = await provider.retrieveIntent(intent.id);
    expect(now.state).toBe(state);
    expect(now.lastError?.code ?? null).toBe(error);
    expect(now.amountReceivedCents).toBe(state === "succeeded" ? 499 : 0);
  });

  it("can be tried again after a decline and after authentication, and not once it is decided", async () => {
    const intent = await made();
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
      states.push(`${confirmed?.status} ${confirmed?.accepted}`);
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

  it("is canceled for good, twice like once; never when paid or about to be", async () => {
    const open = await made();
    expect((await provider.cancelIntent(open.id)).state).toBe("canceled");
    expect((await provider.cancelIntent(open.id)).state).toBe("canceled");
    const late = await confirmSandboxIntent(open.clientSecret, "succeeded");
    expect(late).toMatchObject({ status: "canceled", accepted: false });
    expect(await failure(provider.cancelIntent(await paid(499)))).toBe(
      "refused payment_intent_unexpected_state",
    );
    const slow = await made();
    await confirmSandboxIntent(slow.clientSecret, "processing_succeeded");
    expect(await failure(provider.cancelIntent(slow.id))).toBe("refused payment_intent_unexpected_state");
    const silent = await made();
    await confirmSandboxIntent(silent.clientSecret, "silent");
    expect((await provider.cancelIntent(silent.id)).state).toBe("canceled");
  });
});

describe("the same Idempotency-Key", () => {
  it("gives the same intent: 50 at once, one intent", async () => {
    const asked = wish();
    const intents = await Promise.all(Array.from({ length: 50 }, () => provider.createIntent(asked)));
    expect(new Set(intents.map((intent) => intent.id)).size).toBe(1);
  });

  it("with other values is refused, each of them", async () => {
    const asked = wish();
    await provider.createIntent(asked);
    const others: Partial<IntentWish>[] = [
      { amountCents: 500 },
      { currency: "eur" },
      { orderId: "ord_other" },
      { email: "another@passlane.example" },
    ];
    for (const other of others) {
      expect(await failure(provider.createIntent({ ...asked, ...other }))).toBe("refused idempotency_error");
    }
    const { idempotencyKey } = asked;
    expect(await failure(back(await paid(499), 100, idempotencyKey))).toBe("refused idempotency_error");
  });

  it("gives the same refusal again, also when it would be granted by now", async () => {
    const intent = await made();
    const key = newId("key");
    const refund = { intentId: intent.id, refundId: newId("ref"), amountCents: 100, idempotencyKey: key };
    expect(await failure(provider.refund(refund))).toBe("refused payment_intent_unexpected_state");
    await confirmSandboxIntent(intent.clientSecret, "succeeded");
    expect(await failure(provider.refund(refund))).toBe("refused payment_intent_unexpected_state");
    expect((await provider.refund({ ...refund, idempotencyKey: newId("key") })).state).toBe("succeeded");
  });
});

describe("a refund", () => {
  it("never exceeds what was paid: 20 at once of 100 on 1,000 cents, 10 granted", async () => {
    const intentId = await paid(1_000);
    const answers = await Promise.all(Array.from({ length: 20 }, () => failure(back(intentId, 100))));
    const count = (what: string) => answers.filter((answer) => answer === what).length;
    expect({ granted: count("no failure"), refused: count("refused charge_already_refunded") }).toEqual({
      granted: 10,
      refused: 10,
    });
  });

  it("of more than is left is refused, of the rest granted", async () => {
    const intentId = await paid(1_000);
    const first = await back(intentId, 600);
    expect(first).toMatchObject({ state: "succeeded", amountCents: 600, intentId, failureReason: null });
    expect(await provider.retrieveRefund(first.id)).toEqual(first);
    expect(await failure(back(intentId, 401))).toBe("refused null");
    expect((await back(intentId, 400)).amountCents).toBe(400);
    expect(await failure(back(intentId, 1))).toBe("refused charge_already_refunded");
  });
});
