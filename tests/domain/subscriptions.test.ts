import { sql } from "drizzle-orm";
import { afterAll, describe, expect, it } from "vitest";
import { POST as unsubscribeCall } from "@/app/api/v1/subscription/unsubscribe/route";
import { db } from "@/db/client";
import { createSignedInUser } from "@/db/factories/accounts";
import { createDeal, createProduct } from "@/db/factories/catalog";
import { announceDeals } from "@/lib/notifications/deals/commands";
import { acceptsMail } from "@/lib/notifications/emails/queries";
import { findMailboxMails } from "@/lib/notifications/queries";
import {
  confirmSubscription,
  subscribe,
  unsubscribe,
  unsubscribeToken,
} from "@/lib/notifications/subscriptions/commands";
import { findUnsubscribeLink } from "@/lib/notifications/subscriptions/queries";
import { joinWaitList, listWaitListedPlans } from "@/lib/notifications/wait-list/commands";
import { createSignedToken, verifySignedToken } from "@/lib/platform/auth/signed-link";
import { newId } from "@/lib/platform/crypto/ids";
import { call } from "../api/call";
import * as sale from "../setup/sale";

afterAll(sale.endSale);

const address = () => `${newId("m")}@example.com`.toLowerCase();
const ask = (email: string) => subscribe({ email, topic: "discounts" }, "en");
const mailsTo = async (email: string) => {
  await sale.runQueue();
  return (await findMailboxMails(email)) ?? [];
};
const tokenIn = (text: string) => decodeURIComponent(/token=([^\s"&)]+)/.exec(text)?.[1] ?? "");
const stateOf = async (email: string) =>
  (await db.execute<{ state: string }>(sql`select state from subscriptions where email = ${email}`))[0]
    ?.state;
async function subscriber() {
  const email = address();
  await ask(email);
  const [mail] = await mailsTo(email);
  await confirmSubscription(tokenIn(mail!.text));
  return email;
}

describe("a subscription", () => {
  it("counts only once its mail was answered, and answers twice alike", async () => {
    const email = address();
    await ask(email);
    expect(await stateOf(email)).toBe("pending");
    const [mail] = await mailsTo(email);
    const token = tokenIn(mail!.text);
    expect(await confirmSubscription(token)).toEqual({ topic: "discounts", email });
    expect(await confirmSubscription(token)).toEqual({ topic: "discounts", email });
    expect(await stateOf(email)).toBe("confirmed");
  });

  it("is asked for once in ten minutes, and three times a day", async () => {
    const email = address();
    await Promise.all([ask(email), ask(email), ask(email)]);
    expect(await mailsTo(email)).toHaveLength(1);
    for (const minutes of [11, 22, 33, 44]) {
      await sale.setClockAhead(`${minutes} minutes`);
      await ask(email);
      await sale.runQueue();
    }
    expect(await mailsTo(email)).toHaveLength(3);
    await sale.setClockAhead("0");
  });

  it("asks nobody twice who has it", async () => {
    const email = await subscriber();
    await ask(email);
    expect(await mailsTo(email)).toHaveLength(1);
    expect(await stateOf(email)).toBe("confirmed");
  });

  it("is confirmed by nothing but its own fresh link", async () => {
    const email = address();
    await ask(email);
    const [mail] = await mailsTo(email);
    const token = tokenIn(mail!.text);
    const foreign = createSignedToken("unsubscribe", { id: "x", asked: 1 });
    for (const wrong of ["", "x", `${token}x`, token.replace(".", ""), foreign])
      await expect(confirmSubscription(wrong)).rejects.toMatchObject({ error: "link_invalid" });
    await sale.setClockAhead("8 days");
    await expect(confirmSubscription(token)).rejects.toMatchObject({ error: "link_invalid" });
    await sale.setClockAhead("0");
    expect(await stateOf(email)).toBe("pending");
  });
});

describe("a discount alert", () => {
  it("tells confirmed subscribers once, in one click ended, with true prices", async () => {
    const [reader, waiting] = [await subscriber(), address()];
    await ask(waiting);
    const product = await createProduct({ plans: [{ type: "month", keys: 3, priceCents: 2900 }] });
    await createDeal(product.plans[0]!.id, { priceCents: 1900, endsIn: "3 days", quantity: 5 });
    expect(await announceDeals()).toBe(0); // it settles first
    await sale.setClockAhead("6 minutes");
    expect(await announceDeals()).toBeGreaterThan(0);
    expect(await announceDeals()).toBe(0);
    const [alert] = await mailsTo(reader);
    expect(alert!.event).toBe("discount-alert");
    expect(alert!.text).toContain("$19.00");
    expect(alert!.text).toContain("$29.00");
    expect(alert!.headers["List-Unsubscribe-Post"]).toBe("List-Unsubscribe=One-Click");
    expect((await mailsTo(waiting)).map(({ event }) => event)).toEqual(["subscription-confirm"]);

    const link = /<([^>]*)>/.exec(alert!.headers["List-Unsubscribe"] ?? "")![1]!;
    const { status, body } = await call(unsubscribeCall, "/subscription/unsubscribe", {
      query: new URL(link).search.slice(1),
      raw: "List-Unsubscribe=One-Click",
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    expect([status, body.data.state]).toEqual([200, "ended"]);
    expect(await stateOf(reader)).toBe("ended");
    await sale.setClockAhead("0");
  });

  it("is dropped when its reader has left before it goes out", async () => {
    const reader = await subscriber();
    const product = await createProduct({ plans: [{ type: "week", keys: 3 }] });
    await createDeal(product.plans[0]!.id, { priceCents: 100, endsIn: "9 days" });
    await sale.setClockAhead("1 day 6 minutes");
    await announceDeals();
    await sale.runQueue({ mails: false });
    await unsubscribe(
      { token: createSignedToken("unsubscribe", { email: reader, topic: "discounts" }) },
      "en",
    );
    expect((await mailsTo(reader)).map(({ event }) => event)).toEqual(["subscription-confirm"]);
    await sale.setClockAhead("0");
  });
});

describe("unsubscribing", () => {
  it("needs the link: an address alone only has it mailed", async () => {
    const reader = await subscriber();
    expect(await unsubscribe({ email: reader }, "en")).toEqual({ state: "sent", topics: [] });
    expect(await unsubscribe({ email: address() }, "en")).toEqual({ state: "sent", topics: [] });
    expect(await stateOf(reader)).toBe("confirmed");
    const [mail] = await mailsTo(reader);
    expect(mail!.event).toBe("unsubscribe-link");
    await unsubscribe({ token: tokenIn(mail!.text), all: true }, "en");
    expect(await stateOf(reader)).toBe("ended");
    await expect(unsubscribe({ token: "x.y" }, "en")).rejects.toMatchObject({ error: "link_invalid" });
    await expect(unsubscribe({}, "en")).rejects.toMatchObject({ error: "email_invalid" });
  });

  it("by the link that was asked for ends every kind, also for who is only on a wait-list", async () => {
    const waiter = await createSignedInUser();
    const plan = (await createProduct({ plans: [{ keys: 0 }] })).plans[0]!.id;
    await joinWaitList(waiter.viewer, { vip_id: plan });
    await unsubscribe({ email: waiter.email }, "en");
    const [mail] = await mailsTo(waiter.email);
    const token = tokenIn(mail!.text);
    expect(findUnsubscribeLink(token)).toEqual({ email: waiter.email, topic: "all" });
    expect(await unsubscribe({ token }, "en")).toEqual({
      state: "ended",
      topics: ["discounts", "wait_list"],
    });
    expect(await acceptsMail(waiter.email, "wait_list")).toBe(false);
    expect(await listWaitListedPlans(waiter.viewer)).toEqual([]);
  });

  it("by the link of a bulk mail ends that kind alone", async () => {
    const reader = await subscriber();
    const token = unsubscribeToken(reader, "wait_list");
    expect(findUnsubscribeLink(token)).toEqual({ email: reader, topic: "wait_list" });
    expect(await unsubscribe({ token }, "en")).toEqual({ state: "ended", topics: ["wait_list"] });
    expect(await stateOf(reader)).toBe("confirmed");
    expect(
      findUnsubscribeLink(createSignedToken("unsubscribe", { email: reader, topic: "orders" })),
    ).toBeNull();
  });

  it("is undone by subscribing anew", async () => {
    const reader = await subscriber();
    await unsubscribe(
      { token: createSignedToken("unsubscribe", { email: reader, topic: "discounts" }) },
      "en",
    );
    await sale.setClockAhead("11 minutes");
    await ask(reader);
    const [mail] = await mailsTo(reader);
    await confirmSubscription(tokenIn(mail!.text));
    expect(await stateOf(reader)).toBe("confirmed");
    await sale.setClockAhead("0");
  });
});

describe("signed tokens", () => {
  it("carry their facts for their own purpose only", () => {
    const token = createSignedToken("unsubscribe", { email: "a@b.c", topic: "discounts" });
    expect(verifySignedToken("unsubscribe", token)).toEqual({ email: "a@b.c", topic: "discounts" });
    expect(verifySignedToken("subscription-confirm", token)).toBeNull();
    for (const wrong of ["", ".", token.slice(1), `${token}.x`, "x".repeat(5000)])
      expect(verifySignedToken("unsubscribe", wrong)).toBeNull();
  });
});
