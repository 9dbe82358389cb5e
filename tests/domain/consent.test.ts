import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { db } from "@/db/client";
import { createKeys, createSinglePlan, type PlanInput } from "@/db/factories/catalog";
import { createCartLine } from "@/db/factories/orders";
import { exportAccount } from "@/lib/accounts/export/export-account";
import { activatePass } from "@/lib/delivery/library/activate-pass";
import { listLibrary } from "@/lib/delivery/library/list-library";
import { openKeysForEmail } from "@/lib/delivery/library/open-keys";
import { approveReplacement } from "@/lib/delivery/replacement/decide-replacement";
import { requestReplacement } from "@/lib/delivery/replacement/request-replacement";
import { CONSENT_WORDING_VERSION, TERMS_VERSION } from "@/lib/delivery/rules";
import { findMailboxMails } from "@/lib/notifications/find-mailbox-mails";
import { chooseDelivery } from "@/lib/orders/delivery-options/choose-delivery";
import { getOrder } from "@/lib/orders/find-order";
import { assignWaitingOrders } from "@/lib/orders/fulfilment/assign-waiting-orders";
import { resendKeys } from "@/lib/orders/fulfilment/resend-keys";
import { revealKey } from "@/lib/orders/fulfilment/reveal-key";
import { sweepJob } from "@/lib/orders/jobs";
import { completeFreeOrder } from "@/lib/orders/payment/complete-free-order";
import { startPayment } from "@/lib/orders/payment/start-payment";
import { placeOrder } from "@/lib/orders/placing/place-order";
import { withdrawFromOrder } from "@/lib/orders/withdrawal/withdraw-from-order";
import { confirmSandboxIntent } from "@/lib/platform/stripe/sandbox/confirm";
import { getErrorName } from "../setup/error-name";
import { getProviderCash } from "../setup/ledger";
import * as sale from "../setup/sale";
import { registerSaleHooks } from "../setup/sale-hooks";

registerSaleHooks({ runJobs: true });
let buyer: sale.Buyer;
beforeEach(async () => {
  buyer = await sale.createBuyer();
});

const UNREVEALED: sale.DeliveryChoice = { immediate_delivery: false };
const createTestPlan = async (input: PlanInput = {}) =>
  (await createSinglePlan({ type: "day", keys: 3, ...input })).id;
const listLines = async (orderId: string) => (await getOrder(buyer.viewer, orderId, "en")).order_products;
const listKeys = async (orderId: string) => (await listLines(orderId)).flatMap((line) => line.keys);
const listKeyIds = async (orderId: string) => (await listKeys(orderId)).map((key) => key.library_id);
const reveal = (library_id: string) => revealKey(buyer.viewer, { library_id });
const activate = (library_id: string) => activatePass(buyer.viewer, { library_id });
const withdraw = (order_id: string) =>
  withdrawFromOrder(buyer.viewer, { order_id, confirm: true }, "en", "203.0.113.7");
const listKeysMails = async () =>
  ((await findMailboxMails(buyer.email)) ?? []).filter((mail) => mail.event === "keys");
const listMailTexts = async () => ((await findMailboxMails(buyer.email)) ?? []).map((mail) => mail.text);

type StoredConsent = { immediate: boolean | null; consent: unknown; consented_at: string | null };
const listConsents = async (orderId: string) => [
  ...(await db.execute<StoredConsent>(sql`
    select immediate_delivery as immediate, consent, immediate_consent_at as consented_at
    from order_lines where order_id = ${orderId} order by position`)),
];
const getKeyConsent = async (keyId: string) => {
  const [row] = await db.execute<{ consent: unknown }>(sql`select consent from keys where id = ${keyId}`);
  return row!.consent;
};
const consent = (source: string, locale = "en") => ({
  source,
  terms: TERMS_VERSION,
  wording: { locale, version: CONSENT_WORDING_VERSION },
});

describe("paying without a choice", () => {
  it.each(["day", "week", "month", "lifetime"] as const)(
    "requests immediate delivery: a %s pass that was shown and activated is not withdrawn",
    async (type) => {
      const orderId = await sale.orderPlan(buyer, await createTestPlan({ type }));
      const { clientSecret } = await sale.openPayment(buyer, orderId);
      await confirmSandboxIntent(clientSecret, "succeeded");
      await sale.waitForEvents();
      await sale.runQueue({ mails: false }); // the code is used before its email is sent
      const [id] = await listKeyIds(orderId);
      await reveal(id!);
      await activate(id!);
      expect(await withdraw(orderId)).toMatchObject({
        refund_amount: 0,
        lines: [{ units: 0, reason: "shown" }],
      });
      await sale.runQueue();
      expect(await withdraw(orderId)).toMatchObject({ refund_amount: 0 });
      expect(await getProviderCash(orderId)).toBe(1000);
      expect(await sale.getOrderStatus(orderId)).toBe("completed");
    },
  );

  it("stores the default with its time, terms and wording, and confirms it by email", async () => {
    const orderId = await sale.sell(buyer, await createTestPlan());
    const [line] = await listConsents(orderId);
    expect(line).toMatchObject({ immediate: true, consent: consent("api-default") });
    expect(Math.abs(Date.parse(line!.consented_at!) - Date.now())).toBeLessThan(60_000);
    expect((await listKeysMails())[0]!.text).toContain("you asked us to deliver right away");
    expect((await listLines(orderId))[0]).toMatchObject({
      immediate_delivery: true,
      consent_source: "api-default",
      keys: [{ seen: true, needs_consent: false }],
    });
  });
});

describe("the choice of a refundable pass", () => {
  type Case = [immediate: boolean | undefined, keep: boolean | undefined, mailed: boolean];
  it.each([
    [undefined, undefined, true],
    [undefined, true, false],
    [true, undefined, true],
    [true, false, true],
    [true, true, false],
    [false, undefined, false],
    [false, false, false],
    [false, true, false],
  ] satisfies Case[])(
    "with immediate %s and keep %s decides whether codes are mailed: %s",
    async (immediate_delivery, keep_in_library, mailed) => {
      const plan = await createTestPlan({ type: "month" });
      const orderId = await sale.sellWithChoice(buyer, plan, { immediate_delivery, keep_in_library });
      const [key] = await listKeys(orderId);
      expect(key).toMatchObject({ seen: mailed, needs_consent: !mailed });
      const [item] = (await listLibrary(buyer.viewer, "en")).items;
      expect(item).toMatchObject({ seen: mailed, needs_consent: !mailed, can_activate: mailed });
      const [mail, ...more] = await listKeysMails();
      expect(more).toEqual([]);
      expect(/TEST-/.test(mail!.text)).toBe(mailed);
      expect(mail!.text.includes("not in this email")).toBe(!mailed);
      expect(await sale.getOrderStatus(orderId)).toBe(mailed ? "completed" : "shipped");
      expect((await withdraw(orderId)).refund_amount).toBe(mailed ? 0 : 10);
      await sale.runQueue();
      expect(await sale.getOrderStatus(orderId)).toBe(mailed ? "completed" : "refunded");
    },
  );
});

async function placeOrderOf(planIds: number[]): Promise<{ order_id: string }> {
  const cart_record_ids: string[] = [];
  for (const planId of planIds) cart_record_ids.push(await createCartLine(buyer.id, planId));
  return placeOrder(buyer.viewer, { cart_record_ids }, "en");
}

describe("the stored choice", () => {
  const start = (order_id: string, choice: sale.DeliveryChoice = {}) =>
    startPayment(buyer.viewer, { order_id, ...choice });

  it("comes from the call, else from an earlier one, else from the default", async () => {
    const orderId = await sale.orderPlan(buyer, await createTestPlan());
    await chooseDelivery(buyer.viewer, { order_id: orderId, ...UNREVEALED });
    await start(orderId);
    expect(await listConsents(orderId)).toEqual([{ immediate: false, consent: null, consented_at: null }]);
    await start(orderId, { immediate_delivery: true });
    const [ticked] = await listConsents(orderId);
    expect(ticked).toMatchObject({ immediate: true, consent: consent("ticked") });
    await sale.setClockAhead("5 minutes");
    await start(orderId);
    await start(orderId, { immediate_delivery: true });
    expect(await listConsents(orderId)).toEqual([ticked]); // repeating it keeps the first time
    await start(orderId, UNREVEALED);
    expect(await listConsents(orderId)).toEqual([{ immediate: false, consent: null, consented_at: null }]);
  });

  it("replaces the default by a later tick, in the language of the request", async () => {
    const orderId = await sale.orderPlan(buyer, await createTestPlan());
    await start(orderId);
    await startPayment(buyer.viewer, { order_id: orderId, immediate_delivery: true }, "ja");
    expect(await listConsents(orderId)).toMatchObject([{ consent: consent("ticked", "ja") }]);
  });

  it("is fixed once the order is paid", async () => {
    const orderId = await sale.sellWithChoice(buyer, await createTestPlan(), UNREVEALED);
    const before = await sale.getOrderRecord(orderId);
    expect(await getErrorName(start(orderId, { immediate_delivery: true }))).toBe("order_not_payable");
    const change = chooseDelivery(buyer.viewer, { order_id: orderId, immediate_delivery: true });
    expect(await getErrorName(change)).toBe("delivery_frozen");
    expect(await sale.getOrderRecord(orderId)).toBe(before);
  });

  it("is not stored by a refused call or by another user", async () => {
    const orderId = await sale.orderPlan(buyer, await createTestPlan());
    const wrongAmount = startPayment(buyer.viewer, { order_id: orderId, amount: 1, ...UNREVEALED });
    expect(await getErrorName(wrongAmount)).toBe("amount_differs");
    const other = await sale.createBuyer();
    expect(await getErrorName(startPayment(other.viewer, { order_id: orderId, ...UNREVEALED }))).toBe(
      "order_unknown",
    );
    expect(await listConsents(orderId)).toEqual([{ immediate: null, consent: null, consented_at: null }]);
  });

  it("of two tabs is one of the two, the same for every line, and its codes follow it", async () => {
    const planIds = [await createTestPlan({ keys: 8 }), await createTestPlan({ keys: 8, type: "month" })];
    for (let round = 0; round < 4; round++) {
      const { order_id } = await placeOrderOf(planIds);
      const choices = [true, false].map((immediate_delivery) => ({ immediate_delivery }));
      const intents = await Promise.all(choices.map((choice) => start(order_id, choice)));
      const secrets = new Set(intents.map((intent) => intent.client_secret));
      await Promise.all([...secrets].map((secret) => confirmSandboxIntent(secret, "succeeded")));
      await sale.processEvents();
      const stored = await listConsents(order_id);
      expect(new Set(stored.map((line) => line.immediate)).size).toBe(1);
      const keys = await listKeys(order_id);
      expect(keys.map((key) => key.seen)).toEqual(keys.map(() => stored[0]!.immediate));
    }
  });
});

describe("a payment that is opened while the buyer still chooses", () => {
  const setCountry = (orderId: string, country: string | null, zone: string | null = null) =>
    db.execute(sql`update orders set country = ${country}, time_zone = ${zone} where id = ${orderId}`);
  const openUndecided = async (country: string | null, zone: string | null = null) => {
    const orderId = await sale.orderPlan(buyer, await createTestPlan());
    await setCountry(orderId, country, zone);
    const { client_secret } = await startPayment(buyer.viewer, { order_id: orderId, choose_later: true });
    const undecided = { immediate: null, consent: null, consented_at: null };
    expect(await listConsents(orderId)).toEqual([undecided]);
    const confirm = async () => {
      await confirmSandboxIntent(client_secret, "succeeded");
      await sale.processEvents();
    };
    return { orderId, confirm };
  };

  it.each([
    ["DE", null],
    ["IS", null],
    ["GB", null],
    [null, "Europe/Paris"],
    [null, null],
  ])("leaves its codes unrevealed when it is paid without a choice in %s, %s", async (country, zone) => {
    const { orderId, confirm } = await openUndecided(country, zone);
    await confirm();
    expect(await listConsents(orderId)).toEqual([{ immediate: false, consent: null, consented_at: null }]);
    expect(await listKeys(orderId)).toMatchObject([{ seen: false, needs_consent: true }]);
    expect((await withdraw(orderId)).refund_amount).toBe(10);
  });

  it.each([
    ["US", null],
    ["JP", "Europe/Paris"],
    [null, "America/New_York"],
  ])("mails its codes when it is paid without a choice in %s, %s", async (country, zone) => {
    const { orderId, confirm } = await openUndecided(country, zone);
    await confirm();
    expect(await listConsents(orderId)).toMatchObject([{ immediate: true, consent: consent("api-default") }]);
    expect(await listKeys(orderId)).toMatchObject([{ seen: true, needs_consent: false }]);
  });

  it("follows the choice that is made before the payment", async () => {
    const { orderId, confirm } = await openUndecided("DE");
    await chooseDelivery(buyer.viewer, { order_id: orderId, immediate_delivery: true });
    await startPayment(buyer.viewer, { order_id: orderId, choose_later: true });
    await confirm();
    expect(await listConsents(orderId)).toMatchObject([{ immediate: true, consent: consent("ticked") }]);
  });
});

describe("a consent given where no right of withdrawal applies", () => {
  const live = (order_id: string, country: string, choice: sale.DeliveryChoice = {}) =>
    chooseDelivery(buyer.viewer, { order_id, country, ...choice });

  it.each(["ticked", "api-default"])(
    "by %s does not count after a move to a country with that right",
    async (by) => {
      const order_id = await sale.orderPlan(buyer, await createTestPlan());
      await live(order_id, "US");
      const choice = by === "ticked" ? { immediate_delivery: true } : {};
      const { client_secret } = await startPayment(buyer.viewer, { order_id, ...choice });
      expect(await listConsents(order_id)).toMatchObject([{ immediate: true, consent: consent(by) }]);
      expect(await live(order_id, "JP")).toMatchObject({ immediate_delivery: true });
      expect(await live(order_id, "FR")).toMatchObject({
        immediate_delivery: null,
        withdrawal_applies: true,
      });
      await confirmSandboxIntent(client_secret, "succeeded");
      await sale.processEvents();
      expect(await listKeys(order_id)).toMatchObject([{ seen: false, needs_consent: true }]);
    },
  );

  it("does not undo a choice made by the call itself, codes kept unrevealed, or a consent given in such a country", async () => {
    const order_id = await sale.orderPlan(buyer, await createTestPlan());
    await live(order_id, "US", { immediate_delivery: true });
    expect(await live(order_id, "FR", { immediate_delivery: true })).toMatchObject({
      immediate_delivery: true,
    });
    expect(await live(order_id, "DE")).toMatchObject({ immediate_delivery: true });
    await live(order_id, "US", UNREVEALED);
    expect(await live(order_id, "DE")).toMatchObject({ immediate_delivery: false });
  });
});

describe("an unrevealed code", () => {
  it("is revealed with the consent of that press, which is stored and ends the withdrawal of this unit only", async () => {
    const orderId = await sale.sellWithChoice(buyer, await createTestPlan(), UNREVEALED, 3);
    const ids = await listKeyIds(orderId);
    const shown = await Promise.all(
      [1, 2, 3].map(() => revealKey(buyer.viewer, { library_id: ids[0]! }, "zh")),
    );
    expect(new Set(shown.map(({ code }) => code)).size).toBe(1);
    expect(await getKeyConsent(ids[0]!)).toEqual(consent("revealed", "zh"));
    await sale.setClockAhead("1 hour");
    await revealKey(buyer.viewer, { library_id: ids[0]! }, "en");
    expect(await getKeyConsent(ids[0]!)).toEqual(consent("revealed", "zh")); // the first reveal is the consent
    expect(await getKeyConsent(ids[1]!)).toBeNull();
    expect(await sale.getOrderStatus(orderId)).toBe("shipped");
    expect(await withdraw(orderId)).toMatchObject({
      refund_amount: 20,
      lines: [{ units: 2, quantity: 3, reason: "shown" }],
    });
    expect(await sale.getOrderStatus(orderId)).toBe("completed");
    await sale.runQueue();
    for (const id of ids.slice(1)) expect(await getErrorName(reveal(id))).toBe("key_unknown");
  });

  it("cannot be activated or mailed before it was revealed", async () => {
    const orderId = await sale.sellWithChoice(buyer, await createTestPlan(), UNREVEALED, 2);
    const [first, second] = (await listKeyIds(orderId)) as [string, string];
    const before = await sale.getOrderRecord(orderId);
    expect(await getErrorName(activate(first))).toBe("code_unrevealed");
    expect(await getErrorName(resendKeys(buyer.viewer, { order_id: orderId }))).toBe("code_unrevealed");
    expect(await openKeysForEmail(db, orderId, [first, second])).toEqual([]);
    expect(await sale.getOrderRecord(orderId)).toBe(before);
    const { code } = await reveal(first);
    await activate(first);
    expect(await resendKeys(buyer.viewer, { order_id: orderId })).toMatchObject({ sent: 1 });
    await sale.runQueue();
    const mails = await listMailTexts();
    expect(mails.filter((text) => text.includes(code))).toHaveLength(1);
    const unseen = (await reveal(second)).code;
    expect(mails.filter((text) => text.includes(unseen))).toEqual([]);
    expect(await sale.getOrderStatus(orderId)).toBe("completed");
  });

  it("stays unrevealed when it arrives later", async () => {
    const plan = await createTestPlan({ keys: 1, availability: "pre_order" });
    const orderId = await sale.sellWithChoice(buyer, plan, UNREVEALED, 2);
    expect(await sale.getOrderStatus(orderId)).toBe("processing");
    await createKeys(plan, 1);
    await assignWaitingOrders(plan);
    await sale.runQueue();
    expect(await sale.getOrderStatus(orderId)).toBe("shipped");
    expect((await listMailTexts()).filter((text) => /TEST-/.test(text))).toEqual([]);
    expect((await listKeysMails()).every((mail) => mail.text.includes("kept in your Library"))).toBe(true);
    const keys = await listKeys(orderId);
    expect(keys).toMatchObject([{ needs_consent: true }, { needs_consent: true }]);
    for (const { library_id } of keys) await reveal(library_id);
    expect(await sale.getOrderStatus(orderId)).toBe("completed");
  });

  it("is replaced by one that is unrevealed too", async () => {
    const orderId = await sale.sellWithChoice(buyer, await createTestPlan(), UNREVEALED);
    const [old] = await listKeyIds(orderId);
    await requestReplacement(buyer.viewer, { library_id: old!, reason: "The vendor has blocked the batch." });
    const [request] = await db.execute<{ id: string }>(
      sql`select id from replacement_requests where key_id = ${old}`,
    );
    expect((await approveReplacement(request!.id, "staff:x"))?.outcome).toBe("decided");
    await sale.runQueue();
    const [key] = await listKeys(orderId);
    expect(key).toMatchObject({ seen: false, needs_consent: true });
    expect((await listMailTexts()).filter((text) => /TEST-/.test(text))).toEqual([]);
    expect(await sale.getOrderStatus(orderId)).toBe("shipped");
    await reveal(key!.library_id);
    expect(await sale.getOrderStatus(orderId)).toBe("completed");
  });

  it("is in the export of the account without its text, with the choice and the consent", async () => {
    const orderId = await sale.sellWithChoice(buyer, await createTestPlan(), UNREVEALED, 2);
    const [first, second] = (await listKeyIds(orderId)) as [string, string];
    const { code } = await reveal(first);
    const exported = await exportAccount(buyer.viewer);
    const line = exported.orders[0]!.order_products[0]!;
    expect(line).toMatchObject({ immediate_delivery: false, consent: null });
    expect(line.codes.map((key) => key.consent)).toEqual([consent("revealed"), null]);
    const text = JSON.stringify(exported);
    for (const secret of [code, (await reveal(second)).code]) expect(text).not.toContain(secret);
  });
});

describe("a free order", () => {
  const complete = (order_id: string, choice: sale.DeliveryChoice = {}) =>
    completeFreeOrder(buyer.viewer, { order_id, ...choice });

  it("with an unrevealed code is shipped, and completed when it is revealed", async () => {
    const orderId = await sale.orderPlan(buyer, await createTestPlan({ priceCents: 0 }));
    const responses = await Promise.all([1, 2, 3].map(() => complete(orderId, UNREVEALED)));
    expect(responses).toEqual(Array(3).fill({ order_id: orderId, status: "shipped" }));
    await sale.runQueue();
    await sweepJob.run(undefined);
    expect(await sale.getOrderStatus(orderId)).toBe("shipped");
    expect((await listKeysMails()).map((mail) => /TEST-/.test(mail.text))).toEqual([false]);
    expect((await complete(orderId, { immediate_delivery: true })).status).toBe("shipped"); // fixed
    await reveal((await listKeyIds(orderId))[0]!);
    expect(await sale.getOrderStatus(orderId)).toBe("completed");
    expect(await sale.listOrderEvents(orderId)).toEqual([
      "created",
      "free_completed",
      "assigned",
      "delivered",
    ]);
  });

  it("without a choice is completed immediately and mailed, with the default stored", async () => {
    const orderId = await sale.orderPlan(buyer, await createTestPlan({ priceCents: 0 }));
    expect(await complete(orderId)).toEqual({ order_id: orderId, status: "completed" });
    expect(await listConsents(orderId)).toMatchObject([{ immediate: true, consent: consent("api-default") }]);
    await sale.runQueue();
    expect((await listKeysMails()).map((mail) => /TEST-/.test(mail.text))).toEqual([true]);
  });
});

describe("a payment that an earlier release opened, without a delivery choice", () => {
  const payLikeBefore = async (orderId: string, consentedAt: string | null) => {
    const { clientSecret } = await sale.openPayment(buyer, orderId);
    await sale.removeDeliveryChoice(orderId);
    await db.execute(
      sql`update order_lines set immediate_consent_at = ${consentedAt}::timestamptz where order_id = ${orderId}`,
    );
    await confirmSandboxIntent(clientSecret, "succeeded");
    await sale.processEvents();
  };

  it("gets the default choice when it succeeds, so that a mailed code is not withdrawn", async () => {
    const orderId = await sale.orderPlan(buyer, await createTestPlan());
    await chooseDelivery(buyer.viewer, { order_id: orderId, country: "US" });
    await payLikeBefore(orderId, null);
    expect(await listConsents(orderId)).toMatchObject([
      { immediate: true, consent: consent("api-default"), consented_at: expect.any(String) },
    ]);
    expect(await withdraw(orderId)).toMatchObject({ refund_amount: 0, lines: [{ reason: "elsewhere" }] });
  });

  it("keeps the time of an earlier consent", async () => {
    const orderId = await sale.orderPlan(buyer, await createTestPlan());
    const consentedAt = "2026-11-20T08:00:00.000Z";
    await payLikeBefore(orderId, consentedAt);
    const [line] = await listConsents(orderId);
    expect(line).toMatchObject({ immediate: true, consent: consent("api-default") });
    expect(new Date(line!.consented_at!).toISOString()).toBe(consentedAt);
  });

  it("gets it even when it comes after the order expired", async () => {
    const orderId = await sale.orderPlan(buyer, await createTestPlan());
    await chooseDelivery(buyer.viewer, { order_id: orderId, country: "US" });
    const { intentId } = await sale.openPayment(buyer, orderId);
    await sale.removeDeliveryChoice(orderId);
    await sale.expireHold(orderId);
    await sale.payLate(intentId);
    expect(await sale.getOrderStatus(orderId)).toBe("completed");
    expect(await listConsents(orderId)).toMatchObject([{ immediate: true, consent: consent("api-default") }]);
  });
});

describe("an order from before the delivery choice", () => {
  it("without consent is withdrawn after its code was mailed and shown", async () => {
    const orderId = await sale.sell(buyer, await createTestPlan());
    await sale.removeDeliveryChoice(orderId);
    await reveal((await listKeyIds(orderId))[0]!);
    expect(await withdraw(orderId)).toMatchObject({ refund_amount: 10, lines: [{ reason: "open" }] });
  });

  it("with consent is not withdrawn after its code was mailed", async () => {
    const orderId = await sale.sell(buyer, await createTestPlan());
    await sale.removeDeliveryChoice(orderId);
    await db.execute(
      sql`update order_lines set immediate_consent_at = shop_now() where order_id = ${orderId}`,
    );
    expect(await withdraw(orderId)).toMatchObject({ refund_amount: 0, lines: [{ reason: "shown" }] });
  });

  it("with codes kept in the library is completed by its email, and shows them without asking", async () => {
    const orderId = await sale.orderPlan(buyer, await createTestPlan({ type: "month" }));
    await sale.pay(buyer, orderId, "succeeded", { keep_in_library: true });
    await sale.waitForEvents();
    await sale.runQueue({ mails: false });
    await sale.removeDeliveryChoice(orderId);
    await sale.runQueue();
    expect(await sale.getOrderStatus(orderId)).toBe("completed");
    const [key] = await listKeys(orderId);
    expect(key).toMatchObject({ seen: false, needs_consent: false });
    expect(await getErrorName(activate(key!.library_id))).toBe("code_unrevealed");
    await reveal(key!.library_id);
    expect(await getKeyConsent(key!.library_id)).toBeNull();
    expect((await withdraw(orderId)).refund_amount).toBe(10);
  });
});
