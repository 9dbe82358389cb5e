import { afterAll, beforeAll, describe, expect, it } from "vitest";
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

let user: SignedInUser;
let other: SignedInUser;
beforeAll(async () => {
  [user, other] = await Promise.all([createSignedInUser(), createSignedInUser()]);
});
afterAll(async () => {
  clearSandboxFaults();
  await closeDatabase();
});

const requestOptions = (who?: SignedInUser, more: Record<string, string> = {}) => ({
  headers: { ...(who && { authorization: who.bearer }), ...more },
});
const addCard = (who: SignedInUser | undefined, body: object, more = {}) =>
  call(add, "/payment/add", { body, ...requestOptions(who, more) });
const confirmCard = (who: SignedInUser | undefined, client_secret: string, card: string) =>
  call(confirm, "/payment/sandbox/confirm-setup", { body: { client_secret, card }, ...requestOptions(who) });
const removeCard = (who: SignedInUser | undefined, payment_id: unknown, more = {}) =>
  call(remove, "/auth/payment/delete", { body: { payment_id }, ...requestOptions(who, more) });
const listCards = async (who: SignedInUser) =>
  (await call(list, "/payment/cards", requestOptions(who))).body.data.cards;

describe("stored cards over the API", () => {
  it("require a session", async () => {
    for (const response of [
      await call(list, "/payment/cards"),
      await addCard(undefined, {}),
      await confirmCard(undefined, "x", "visa"),
      await removeCard(undefined, "pm_x"),
    ])
      expect([response.status, response.body.code]).toEqual([401, "401"]);
  });

  it("are set up, listed and removed, with the contract's fields", async () => {
    const setup = (await addCard(user, {})).body.data;
    expect(Object.keys(setup).sort()).toEqual([
      "client_secret",
      "payment_mode",
      "publishableKey",
      "setup_id",
    ]);
    expect(setup).toMatchObject({ payment_mode: "sandbox", publishableKey: "" });
    const { body } = await confirmCard(user, setup.client_secret, "visa");
    expect(body.data).toEqual({ status: "succeeded", problem: null });
    const card = (await addCard(user, { setup_id: setup.setup_id })).body.data;
    expect(card).toEqual({
      payment_id: expect.stringMatching(/^pm_/),
      brand: "visa",
      last4: "4242",
      exp_month: 12,
      exp_year: expect.any(Number),
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(await listCards(user)).toEqual([card]);
    expect(await listCards(other)).toEqual([]);

    const foreign = await removeCard(other, card.payment_id);
    const missing = await removeCard(other, "pm_missing");
    expect([foreign.status, foreign.body.code]).toEqual([404, "40406"]);
    expect(foreign.body).toEqual(missing.body);
    expect((await addCard(other, { payment_method_id: card.payment_id })).body.code).toBe("40406");
    expect((await confirmCard(other, setup.client_secret, "visa")).body.code).toBe("40406");

    const key = { "idempotency-key": `remove-${user.id}` };
    const [first, second] = [
      await removeCard(user, card.payment_id, key),
      await removeCard(user, card.payment_id, key),
    ];
    expect([first.body.code, second.body.code]).toEqual(["200", "200"]);
    expect((await removeCard(user, card.payment_id)).body.code).toBe("40406");
    expect(await listCards(user)).toEqual([]);
  });

  it("store no client secret with an Idempotency-Key", async () => {
    const key = { "idempotency-key": `add-${user.id}` };
    const first = (await addCard(user, {}, key)).body.data;
    const second = (await addCard(user, {}, key)).body.data;
    expect(second.client_secret).not.toBe(first.client_secret);
  });

  it("reject malformed input and card numbers", async () => {
    for (const body of [
      { payment_method_id: 5 },
      { setup_id: "x".repeat(101) },
      { card_number: "4242424242424242" },
      { user_id: other.id },
    ]) {
      const { status } = await addCard(user, body);
      expect([400, 403]).toContain(status);
    }
    expect((await removeCard(user, "")).body.code).toBe("40000");
    expect((await removeCard(user, { $ne: 1 })).body.code).toBe("40000");
    expect((await confirmCard(user, "x", "4242424242424242")).body.code).toBe("40000");
  });

  it("report an unavailable provider in the request language", async () => {
    await addCard(other, {});
    failSandbox("list_cards", { when: "before", as: "junk" });
    const response = await call(list, "/payment/cards", requestOptions(other, { "accept-language": "ja" }));
    expect([response.status, response.body.code]).toEqual([503, "50302"]);
    expect(response.body.message).toMatch(/決済/);
  });

  it("cannot be confirmed with sandbox cards outside the sandbox", async () => {
    const { client_secret } = (await addCard(user, {})).body.data;
    const settings = env();
    settings.PAYMENT_MODE = "test";
    try {
      expect((await confirmCard(user, client_secret, "visa")).body.code).toBe("40400");
    } finally {
      settings.PAYMENT_MODE = "sandbox";
    }
    expect((await confirmCard(user, client_secret, "declined")).body.data.problem).toBe("card_declined");
  });

  it("limit the number of setups per hour", async () => {
    const tester = await createSignedInUser();
    const codes = [];
    for (let i = 0; i <= CARD_SETUPS_PER_HOUR; i += 1)
      codes.push((await addCard(tester, { setup_id: "seti_x" })).body.code);
    expect(codes.filter((code) => code === "429")).toHaveLength(1);
    expect(codes.at(-1)).toBe("429");
  });
});
