import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { closeDatabase, db } from "@/db/client";
import { newId } from "@/lib/platform/crypto/ids";
import { isProviderError } from "@/lib/platform/stripe/errors";
import { paymentProvider } from "@/lib/platform/stripe/provider";
import {
  clearSandboxFaults,
  failSandbox,
  receiveSandboxEvents,
  type SandboxFault,
} from "@/lib/platform/stripe/sandbox/faults";
import {
  confirmSandboxIntent,
  type Outcome,
  settleDueSandboxIntents,
} from "@/lib/platform/stripe/sandbox/sandbox";

vi.setConfig({ testTimeout: 60_000 });
const provider = paymentProvider();
beforeAll(() => receiveSandboxEvents(async () => 200));
afterAll(async () => {
  clearSandboxFaults();
  await closeDatabase();
});

const made = (idempotencyKey = newId("key")) =>
  provider.createIntent({
    orderId: "ord_race",
    paymentId: "pay_race",
    amountCents: 499,
    currency: "usd",
    description: "A race",
    email: "buyer@passlane.example",
    idempotencyKey,
  });
const slow = async (outcome: Outcome) => {
  const intent = await made();
  await confirmSandboxIntent(intent.clientSecret, outcome);
  return intent.id;
};
const makeDue = (id: string) =>
  db.execute(sql`update sandbox_intents set settles_at = shop_now() - interval '1 second' where id = ${id}`);
const eventsOf = async (id: string) =>
  (
    await db.execute<{ type: string }>(
      sql`select type from sandbox_events where payload->'data'->'object'->>'id' = ${id}
        and type <> 'payment_intent.created' order by created_at`,
    )
  ).map((event) => event.type);

describe("confirm against cancel", () => {
  it("has one winner, and both sides and the notices agree on it: 100 rounds", async () => {
    const wins = { paid: 0, canceled: 0 };
    for (let round = 0; round < 100; round += 1) {
      const intent = await made();
      const cancel = () =>
        provider.cancelIntent(intent.id).then(
          () => true,
          (error: unknown) => {
            if (isProviderError(error, "refused")) return false;
            throw error;
          },
        );
      const confirm = async () => (await confirmSandboxIntent(intent.clientSecret, "succeeded"))?.accepted;
      const confirmed = round % 2 ? confirm() : undefined; // every second round starts the other way round
      const [canceled, accepted] = await Promise.all([cancel(), confirmed ?? confirm()]);
      expect(canceled).toBe(!accepted);
      const { state, amountReceivedCents } = await provider.retrieveIntent(intent.id);
      expect([state, amountReceivedCents]).toEqual(accepted ? ["succeeded", 499] : ["canceled", 0]);
      expect(await eventsOf(intent.id)).toEqual([
        accepted ? "payment_intent.succeeded" : "payment_intent.canceled",
      ]);
      wins[accepted ? "paid" : "canceled"] += 1;
    }
    console.log(`confirm against cancel, 100 rounds: ${wins.paid} paid, ${wins.canceled} canceled, 0 both`);
    expect(wins.paid + wins.canceled).toBe(100);
  });
});

describe("a slow payment", () => {
  it("is decided once its time has come, by whoever looks first: 20 looks, one notice", async () => {
    const id = await slow("processing_succeeded");
    expect((await provider.retrieveIntent(id)).state).toBe("processing");
    await makeDue(id);
    const looks = await Promise.all(Array.from({ length: 20 }, () => provider.retrieveIntent(id)));
    expect(new Set(looks.map((look) => look.state))).toEqual(new Set(["succeeded"]));
    expect(await eventsOf(id)).toEqual(["payment_intent.processing", "payment_intent.succeeded"]);
  });

  it("is decided by the tick when nobody looks", async () => {
    const [good, bad] = [await slow("processing_succeeded"), await slow("processing_failed")];
    await makeDue(good);
    await makeDue(bad);
    expect(await settleDueSandboxIntents()).toBeGreaterThanOrEqual(2);
    expect((await eventsOf(good)).at(-1)).toBe("payment_intent.succeeded");
    expect((await eventsOf(bad)).at(-1)).toBe("payment_intent.payment_failed");
    expect((await provider.retrieveIntent(bad)).lastError).toEqual({
      code: "card_declined",
      declineCode: "generic_decline",
    });
  });

  it("is decided by its own process after about four seconds", async () => {
    const id = await slow("processing_succeeded");
    await expect
      .poll(() => eventsOf(id), { timeout: 8_000, interval: 100 })
      .toContain("payment_intent.succeeded");
  });

  it("is never decided when it is silent, and nothing is told of it", async () => {
    const id = await slow("silent");
    await settleDueSandboxIntents();
    expect((await provider.retrieveIntent(id)).state).toBe("processing");
    expect(await eventsOf(id)).toEqual([]);
  });
});

describe("faults on the way", () => {
  const all: SandboxFault["as"][] = ["500", "502", "timeout", "reset", "junk", "not_json", "not_object"];
  const kindOf = (call: Promise<unknown>) =>
    call.then(
      () => "fine",
      (error: unknown) => (isProviderError(error) ? error.kind : String(error)),
    );

  it.each(all)(
    "%s after the work is done: asked again under the same key, there is one intent",
    async (as) => {
      const key = newId("key");
      failSandbox("create_intent", { when: "after", as }, 3);
      const first = await kindOf(made(key));
      clearSandboxFaults();
      receiveSandboxEvents(async () => 200);
      expect(["unavailable", "invalid_answer"]).toContain(first);
      const [one, two] = [await made(key), await made(key)];
      expect(one.id).toBe(two.id);
      const [found] = await db.execute<{ n: number }>(
        sql`select count(*)::int as n from sandbox_requests r join sandbox_intents i on i.id = r.body->>'id'
          where r.key = ${key}`,
      );
      expect(found?.n).toBe(1);
    },
  );

  it("says what kind each is, and the client's own two retries hide a short one", async () => {
    const { id } = await made();
    const kinds: Record<string, string> = {};
    for (const as of all) {
      failSandbox("retrieve_intent", { when: "before", as }, 3);
      kinds[as] = await kindOf(provider.retrieveIntent(id));
      clearSandboxFaults();
    }
    receiveSandboxEvents(async () => 200);
    expect(kinds).toEqual({
      "500": "unavailable",
      "502": "unavailable",
      timeout: "unavailable",
      reset: "unavailable",
      junk: "invalid_answer",
      not_json: "invalid_answer",
      not_object: "invalid_answer",
    });
    failSandbox("retrieve_intent", { when: "before", as: "reset" }, 2);
    expect(await kindOf(provider.retrieveIntent(id))).toBe("fine");
  });
});
