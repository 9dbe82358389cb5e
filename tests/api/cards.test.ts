import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { POST as remove } from "@/app/api/v1/auth/payment/delete/route";
import { POST as add } from "@/app/api/v1/payment/add/route";
import { GET as list } from "@/app/api/v1/payment/cards/route";
import { POST as confirm } from "@/app/api/v1/payment/sandbox/confirm-setup/route";
import { closeDatabase } from "@/db/client";
import { createSignedInUser, type SignedInUser } from "@/db/factories/accounts";
import { CARD_SETUPS_PER_HOUR } from "@/lib/payments/cards/rules";
import { env } from "@/lib/platform/env";
import { clearSandboxFaults, failSandbox } from "../setup/stripe-faults";
import { call } from "./call";

vi.setConfig({ testTimeout: 60_000 });
let user: SignedInUser;
let other: SignedInUser;
beforeAll(async () => {
  [user, other] = await Promise.all([createSignedInUser(), createSignedInUser()]);
});
afterAll(async () => {
  clearSandboxFaults();
  await closeDatabase();
});

const as = (who?: SignedInUser, more: Record<string, string> = {}) => ({
  headers: { ...(who && { authorization: who.bearer }), ...more },
});
const adding = (who: SignedInUser | undefined, body: object, more = {}) =>
  call(add, "/payment/add", { body, ...as(who, more) });
const confirming = (who: SignedInUser | undefined, client_secret: string, card: string) =>
  call(confirm, "/payment/sandbox/confirm-setup", { body: { client_secret, card }, ...as(who) });
const removing = (who: SignedInUser | undefined, payment_id: unknown, more = {}) =>
  call(remove, "/auth/payment/delete", { body: { payment_id }, ...as(who, more) });
const cardsOf = async (who: SignedInUser) => (await call(list, "/payment/cards", as(who))).body.data.cards;

describe("stored cards over the API", () => {
  it("are for the signed-in only", async () => {
    for (const answer of [
      await call(list, "/payment/cards"),
      await adding(undefined, {}),
      await confirming(undefined, "x", "visa"),
      await removing(undefined, "pm_x"),
    ])
      expect([answer.status, answer.body.code]).toEqual([401, "401"]);
  });

  it("go from a setup to the list and away again, in the fields of the contract", async () => {
    const opened = (await adding(user, {})).body.data;
    expect(Object.keys(opened).sort()).toEqual([
      "client_secret",
      "payment_mode",
      "publishableKey",
      "setup_id",
    ]);
    expect(opened).toMatchObject({ payment_mode: "sandbox", publishableKey: "" });
    const { body } = await confirming(user, opened.client_secret, "visa");
    expect(body.data).toEqual({ status: "succeeded", problem: null });
    const card = (await adding(user, { setup_id: opened.setup_id })).body.data;
    expect(card).toEqual({
      payment_id: expect.stringMatching(/^pm_/),
      brand: "visa",
      last4: "4242",
      exp_month: 12,
      exp_year: expect.any(Number),
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(await cardsOf(user)).toEqual([card]);
    expect(await cardsOf(other)).toEqual([]);

    const foreign = await removing(other, card.payment_id);
    const missing = await removing(other, "pm_missing");
    expect([foreign.status, foreign.body.code]).toEqual([404, "40406"]);
    expect(foreign.body).toEqual(missing.body);
    expect((await adding(other, { payment_method_id: card.payment_id })).body.code).toBe("40406");
    expect((await confirming(other, opened.client_secret, "visa")).body.code).toBe("40406");

    const key = { "idempotency-key": `remove-${user.id}` };
    const [first, second] = [
      await removing(user, card.payment_id, key),
      await removing(user, card.payment_id, key),
    ];
    expect([first.body.code, second.body.code]).toEqual(["200", "200"]);
    expect((await removing(user, card.payment_id)).body.code).toBe("40406");
    expect(await cardsOf(user)).toEqual([]);
  });

  it("never keep a client secret with an Idempotency-Key", async () => {
    const key = { "idempotency-key": `add-${user.id}` };
    const first = (await adding(user, {}, key)).body.data;
    const second = (await adding(user, {}, key)).body.data;
    expect(second.client_secret).not.toBe(first.client_secret);
  });

  it("refuse what is malformed, and card numbers before all", async () => {
    for (const body of [
      { payment_method_id: 5 },
      { setup_id: "x".repeat(101) },
      { card_number: "4242424242424242" },
      { user_id: other.id },
    ]) {
      const { status } = await adding(user, body);
      expect([400, 403]).toContain(status);
    }
    expect((await removing(user, "")).body.code).toBe("40000");
    expect((await removing(user, { $ne: 1 })).body.code).toBe("40000");
    expect((await confirming(user, "x", "4242424242424242")).body.code).toBe("40000");
  });

  it("say in the reader's language that the provider is silent", async () => {
    await adding(other, {});
    failSandbox("list_cards", { when: "before", as: "junk" });
    const answer = await call(list, "/payment/cards", as(other, { "accept-language": "ja" }));
    expect([answer.status, answer.body.code]).toEqual([503, "50302"]);
    expect(answer.body.message).toMatch(/決済/);
  });

  it("cannot be pretended outside the sandbox", async () => {
    const { client_secret } = (await adding(user, {})).body.data;
    const settings = env();
    settings.PAYMENT_MODE = "test";
    try {
      expect((await confirming(user, client_secret, "visa")).body.code).toBe("40400");
    } finally {
      settings.PAYMENT_MODE = "sandbox";
    }
    expect((await confirming(user, client_secret, "declined")).body.data.problem).toBe("card_declined");
  });

  it("cannot be tried out by the hundred", async () => {
    const tester = await createSignedInUser();
    const codes = [];
    for (let i = 0; i <= CARD_SETUPS_PER_HOUR; i += 1)
      codes.push((await adding(tester, { setup_id: "seti_x" })).body.code);
    expect(codes.filter((code) => code === "429")).toHaveLength(1);
    expect(codes.at(-1)).toBe("429");
  });
});
