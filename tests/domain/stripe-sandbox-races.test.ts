import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeDatabase, db } from "@/db/client";
import { newId } from "@/lib/platform/crypto/ids";
import { isProviderError } from "@/lib/platform/stripe/errors";
import { paymentProvider } from "@/lib/platform/stripe/provider";
import {
  confirmSandboxIntent,
  type Outcome,
  settleDueSandboxIntents,
} from "@/lib/platform/stripe/sandbox/confirm";
import { rounds } from "@/tests/setup/rounds";
import {
  clearSandboxFaults,
  dropSandboxEvents,
  failSandbox,
  type SandboxFault,
} from "../setup/stripe-faults";

const provider = paymentProvider();
beforeAll(dropSandboxEvents);
afterAll(async () => {
  clearSandboxFaults();
  await closeDatabase();
});

const createIntent = (idempotencyKey = newId("key")) =>
  provider.createIntent({
    orderId: "ord_race",
    paymentId: "pay_race",
    items: "1x1",
    amountCents: 499,
    currency: "usd",
    description: "A race",
    email: "buyer@passlane.example",
    idempotencyKey,
  });
const createConfirmedIntent = async (outcome: Outcome) => {
  const intent = await createIntent();
  await confirmSandboxIntent(intent.clientSecret, outcome);
  return intent.id;
};
const makeDue = (id: string) =>
  db.execute(sql`update sandbox_intents set settles_at = shop_now() - interval '1 second' where id = ${id}`);
const listEvents = async (id: string) =>
  (
    await db.execute<{ type: string }>(
      sql`select type from sandbox_events where payload->'data'->'object'->>'id' = ${id} order by created_at`,
    )
  ).map((event) => event.type);

describe("confirming and canceling at the same time", () => {
  it("succeeds for one of the two, and responses, intent and events agree", async () => {
    const counts = { paid: 0, canceled: 0 };
    const count = rounds(100, 30);
    for (let round = 0; round < count; round += 1) {
      const intent = await createIntent();
      const cancel = () =>
        provider.cancelIntent(intent.id).then(
          () => true,
          (error: unknown) => {
            if (isProviderError(error, "refused")) return false;
            throw error;
          },
        );
      const confirm = async () => (await confirmSandboxIntent(intent.clientSecret, "succeeded"))?.accepted;
      const confirmed = round % 2 ? confirm() : undefined; // in every second round the confirmation starts first
      const [canceled, accepted] = await Promise.all([cancel(), confirmed ?? confirm()]);
      expect(canceled).toBe(!accepted);
      const { state, amountReceivedCents } = await provider.retrieveIntent(intent.id);
      expect([state, amountReceivedCents]).toEqual(accepted ? ["succeeded", 499] : ["canceled", 0]);
      expect(await listEvents(intent.id)).toEqual([
        accepted ? "payment_intent.succeeded" : "payment_intent.canceled",
      ]);
      counts[accepted ? "paid" : "canceled"] += 1;
    }
    console.log(
      `confirm and cancel at once, ${count} rounds: ${counts.paid} paid, ${counts.canceled} canceled, 0 both`,
    );
    expect(counts.paid + counts.canceled).toBe(count);
  });
});

describe("a slow payment", () => {
  it("is settled by the first of 20 concurrent reads after it is due, with one event", async () => {
    const id = await createConfirmedIntent("processing_succeeded");
    expect((await provider.retrieveIntent(id)).state).toBe("processing");
    await makeDue(id);
    const reads = await Promise.all(Array.from({ length: 20 }, () => provider.retrieveIntent(id)));
    expect(new Set(reads.map((read) => read.state))).toEqual(new Set(["succeeded"]));
    expect(await listEvents(id)).toEqual(["payment_intent.processing", "payment_intent.succeeded"]);
  });

  it("is settled by the tick without a read", async () => {
    const [succeeding, failing] = [
      await createConfirmedIntent("processing_succeeded"),
      await createConfirmedIntent("processing_failed"),
    ];
    await makeDue(succeeding);
    await makeDue(failing);
    expect(await settleDueSandboxIntents()).toBeGreaterThanOrEqual(2);
    expect((await listEvents(succeeding)).at(-1)).toBe("payment_intent.succeeded");
    expect((await listEvents(failing)).at(-1)).toBe("payment_intent.payment_failed");
    expect((await provider.retrieveIntent(failing)).lastError).toEqual({
      code: "card_declined",
      declineCode: "generic_decline",
    });
  });

  it("is settled after about four seconds by the process that confirmed it", async () => {
    const id = await createConfirmedIntent("processing_succeeded");
    await expect
      .poll(() => listEvents(id), { timeout: 25_000, interval: 100 })
      .toContain("payment_intent.succeeded");
  });

  it("is never settled with the outcome silent, and has no events", async () => {
    const id = await createConfirmedIntent("silent");
    await settleDueSandboxIntents();
    expect((await provider.retrieveIntent(id)).state).toBe("processing");
    expect(await listEvents(id)).toEqual([]);
  });
});

describe("faults of the provider", () => {
  const kinds: SandboxFault["as"][] = ["500", "502", "timeout", "reset", "junk", "not_json", "not_object"];
  const getErrorKind = (call: Promise<unknown>) =>
    call.then(
      () => "succeeded",
      (error: unknown) => (isProviderError(error) ? error.kind : String(error)),
    );

  it.each(kinds)(
    "after the intent was created (%s) let another request with the same key return that intent",
    async (as) => {
      const key = newId("key");
      failSandbox("create_intent", { when: "after", as }, 3);
      const first = await getErrorKind(createIntent(key));
      clearSandboxFaults();
      dropSandboxEvents();
      expect(["unavailable", "invalid_answer"]).toContain(first);
      const [firstIntent, secondIntent] = [await createIntent(key), await createIntent(key)];
      expect(firstIntent.id).toBe(secondIntent.id);
      const [stored] = await db.execute<{ n: number }>(
        sql`select count(*)::int as n from sandbox_requests r join sandbox_intents i on i.id = r.body->>'id'
          where r.key = ${key}`,
      );
      expect(stored?.n).toBe(1);
    },
  );

  it("become a kind of ProviderError; the client's two retries hide a short fault", async () => {
    const { id } = await createIntent();
    const results: Record<string, string> = {};
    for (const as of kinds) {
      failSandbox("retrieve_intent", { when: "before", as }, 3);
      results[as] = await getErrorKind(provider.retrieveIntent(id));
      clearSandboxFaults();
    }
    dropSandboxEvents();
    expect(results).toEqual({
      "500": "unavailable",
      "502": "unavailable",
      timeout: "unavailable",
      reset: "unavailable",
      junk: "invalid_answer",
      not_json: "invalid_answer",
      not_object: "invalid_answer",
    });
    failSandbox("retrieve_intent", { when: "before", as: "reset" }, 2);
    expect(await getErrorKind(provider.retrieveIntent(id))).toBe("succeeded");
  });
});
