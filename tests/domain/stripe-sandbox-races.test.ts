import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { closeDatabase, db } from "@/db/client";
import { newId } from "@/lib/platform/crypto/ids";
import { isProviderError } from "@/lib/platform/stripe/errors";
import { paymentProvider } from "@/lib/platform/stripe/provider";
import {
  confirmSandboxIntent,
  type Outcome,
  settleDueSandboxIntents,
} from "@/lib/platform/stripe/sandbox/confirm";
import {
  clearSandboxFaults,
  dropSandboxEvents,
  failSandbox,
  type SandboxFault,
} from "../setup/stripe-faults";

vi.setConfig({ testTimeout: 60_000 });
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
    amountCents: 499,
    currency: "usd",
    description: "A race",
    email: "buyer@passlane.example",
    idempotencyKey,
  });
const confirmNew = async (outcome: Outcome) => {
  const intent = await createIntent();
  await confirmSandboxIntent(intent.clientSecret, outcome);
  return intent.id;
};
const makeDue = (id: string) =>
  db.execute(sql`update sandbox_intents set settles_at = shop_now() - interval '1 second' where id = ${id}`);
const eventsOf = async (id: string) =>
  (
    await db.execute<{ type: string }>(
      sql`select type from sandbox_events where payload->'data'->'object'->>'id' = ${id} order by created_at`,
    )
  ).map((event) => event.type);

describe("confirming and canceling at the same time", () => {
  it("has one winner, on which responses, intent and events agree: 100 rounds", async () => {
    const wins = { paid: 0, canceled: 0 };
    for (let round = 0; round < 100; round += 1) {
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
      expect(await eventsOf(intent.id)).toEqual([
        accepted ? "payment_intent.succeeded" : "payment_intent.canceled",
      ]);
      wins[accepted ? "paid" : "canceled"] += 1;
    }
    console.log(
      `confirm and cancel at once, 100 rounds: ${wins.paid} paid, ${wins.canceled} canceled, 0 both`,
    );
    expect(wins.paid + wins.canceled).toBe(100);
  });
});

describe("a slow payment", () => {
  it("is settled by the first read after it is due: 20 concurrent reads, one event", async () => {
    const id = await confirmNew("processing_succeeded");
    expect((await provider.retrieveIntent(id)).state).toBe("processing");
    await makeDue(id);
    const reads = await Promise.all(Array.from({ length: 20 }, () => provider.retrieveIntent(id)));
    expect(new Set(reads.map((read) => read.state))).toEqual(new Set(["succeeded"]));
    expect(await eventsOf(id)).toEqual(["payment_intent.processing", "payment_intent.succeeded"]);
  });

  it("is settled by the tick if nobody reads it", async () => {
    const [succeeding, failing] = [
      await confirmNew("processing_succeeded"),
      await confirmNew("processing_failed"),
    ];
    await makeDue(succeeding);
    await makeDue(failing);
    expect(await settleDueSandboxIntents()).toBeGreaterThanOrEqual(2);
    expect((await eventsOf(succeeding)).at(-1)).toBe("payment_intent.succeeded");
    expect((await eventsOf(failing)).at(-1)).toBe("payment_intent.payment_failed");
    expect((await provider.retrieveIntent(failing)).lastError).toEqual({
      code: "card_declined",
      declineCode: "generic_decline",
    });
  });

  it("is settled by the process that took it after about four seconds", async () => {
    const id = await confirmNew("processing_succeeded");
    await expect
      .poll(() => eventsOf(id), { timeout: 8_000, interval: 100 })
      .toContain("payment_intent.succeeded");
  });

  it("is never settled with the outcome silent, and has no events", async () => {
    const id = await confirmNew("silent");
    await settleDueSandboxIntents();
    expect((await provider.retrieveIntent(id)).state).toBe("processing");
    expect(await eventsOf(id)).toEqual([]);
  });
});

describe("faults of the provider", () => {
  const kinds: SandboxFault["as"][] = ["500", "502", "timeout", "reset", "junk", "not_json", "not_object"];
  const kindOf = (call: Promise<unknown>) =>
    call.then(
      () => "succeeded",
      (error: unknown) => (isProviderError(error) ? error.kind : String(error)),
    );

  it.each(kinds)(
    "%s after the intent was created: another request with the same key returns that intent",
    async (as) => {
      const key = newId("key");
      failSandbox("create_intent", { when: "after", as }, 3);
      const first = await kindOf(createIntent(key));
      clearSandboxFaults();
      dropSandboxEvents();
      expect(["unavailable", "invalid_answer"]).toContain(first);
      const [one, two] = [await createIntent(key), await createIntent(key)];
      expect(one.id).toBe(two.id);
      const [found] = await db.execute<{ n: number }>(
        sql`select count(*)::int as n from sandbox_requests r join sandbox_intents i on i.id = r.body->>'id'
          where r.key = ${key}`,
      );
      expect(found?.n).toBe(1);
    },
  );

  it("become a kind of ProviderError, and the client's two retries hide a short one", async () => {
    const { id } = await createIntent();
    const results: Record<string, string> = {};
    for (const as of kinds) {
      failSandbox("retrieve_intent", { when: "before", as }, 3);
      results[as] = await kindOf(provider.retrieveIntent(id));
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
    expect(await kindOf(provider.retrieveIntent(id))).toBe("succeeded");
  });
});
