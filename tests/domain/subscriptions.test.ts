import { and, eq, isNull, sql } from "drizzle-orm";
import { afterAll, describe, expect, it } from "vitest";
import { POST as unsubscribeCall } from "@/app/api/v1/subscription/unsubscribe/route";
import { db } from "@/db/client";
import { createSignedInUser } from "@/db/factories/accounts";
import { createDeal, createProduct, createSinglePlan } from "@/db/factories/catalog";
import { waitList } from "@/db/schema/notifications";
import { announceDeals } from "@/lib/notifications/deals/announce-deals";
import { findMailboxMails } from "@/lib/notifications/find-mailbox-mails";
import { acceptsMail } from "@/lib/notifications/subscriptions/opt-outs";
import { confirmSubscription, subscribe } from "@/lib/notifications/subscriptions/subscribe";
import {
  findUnsubscribeLink,
  unsubscribe,
  unsubscribeToken,
} from "@/lib/notifications/subscriptions/unsubscribe";
import { joinWaitList } from "@/lib/notifications/wait-list/join-wait-list";
import { createSignedToken, verifySignedToken } from "@/lib/platform/auth/signed-link";
import { newId } from "@/lib/platform/crypto/ids";
import { call } from "../api/call";
import * as sale from "../setup/sale";

afterAll(sale.closeSale);

const uniqueAddress = () => `${newId("m")}@example.com`.toLowerCase();
const requestSubscription = (email: string) => subscribe({ email, topic: "discounts" }, "en");
const listMails = async (email: string) => {
  await sale.runQueue();
  return (await findMailboxMails(email)) ?? [];
};
const findToken = (text: string) => decodeURIComponent(/token=([^\s"&)]+)/.exec(text)?.[1] ?? "");
const getState = async (email: string) =>
  (await db.execute<{ state: string }>(sql`select state from subscriptions where email = ${email}`))[0]
    ?.state;
async function createSubscriber() {
  const email = uniqueAddress();
  await requestSubscription(email);
  const [mail] = await listMails(email);
  await confirmSubscription(findToken(mail!.text));
  return email;
}

describe("a subscription", () => {
  it("is confirmed by the link of its mail, which can be opened twice", async () => {
    const email = uniqueAddress();
    await requestSubscription(email);
    expect(await getState(email)).toBe("pending");
    const [mail] = await listMails(email);
    const token = findToken(mail!.text);
    expect(await confirmSubscription(token)).toEqual({ topic: "discounts", email });
    expect(await confirmSubscription(token)).toEqual({ topic: "discounts", email });
    expect(await getState(email)).toBe("confirmed");
  });

  it("sends one confirmation mail in ten minutes and three a day", async () => {
    const email = uniqueAddress();
    await Promise.all([requestSubscription(email), requestSubscription(email), requestSubscription(email)]);
    expect(await listMails(email)).toHaveLength(1);
    for (const minutes of [11, 22, 33, 44]) {
      await sale.setClockAhead(`${minutes} minutes`);
      await requestSubscription(email);
      await sale.runQueue();
    }
    expect(await listMails(email)).toHaveLength(3);
    await sale.setClockAhead("0");
  });

  it("sends no mail to a confirmed subscriber", async () => {
    const email = await createSubscriber();
    await requestSubscription(email);
    expect(await listMails(email)).toHaveLength(1);
    expect(await getState(email)).toBe("confirmed");
  });

  it("is confirmed only by its own unexpired link", async () => {
    const email = uniqueAddress();
    await requestSubscription(email);
    const [mail] = await listMails(email);
    const token = findToken(mail!.text);
    const otherPurposeToken = createSignedToken("unsubscribe", { id: "x", asked: 1 });
    for (const invalidToken of ["", "x", `${token}x`, token.replace(".", ""), otherPurposeToken])
      await expect(confirmSubscription(invalidToken)).rejects.toMatchObject({ error: "link_invalid" });
    await sale.setClockAhead("8 days");
    await expect(confirmSubscription(token)).rejects.toMatchObject({ error: "link_invalid" });
    await sale.setClockAhead("0");
    expect(await getState(email)).toBe("pending");
  });
});

describe("a discount alert", () => {
  it("is sent to confirmed subscribers once, with the prices and one-click unsubscribing", async () => {
    const [reader, pendingAddress] = [await createSubscriber(), uniqueAddress()];
    await requestSubscription(pendingAddress);
    const product = await createProduct({ plans: [{ type: "month", keys: 3, priceCents: 2900 }] });
    await createDeal(product.plans[0]!.id, { priceCents: 1900, endsIn: "3 days", quantity: 5 });
    expect(await announceDeals()).toBe(0); // a new deal is announced after a pause
    await sale.setClockAhead("6 minutes");
    expect(await announceDeals()).toBeGreaterThan(0);
    expect(await announceDeals()).toBe(0);
    const [alert] = await listMails(reader);
    expect(alert!.event).toBe("discount-alert");
    expect(alert!.text).toContain("$19.00");
    expect(alert!.text).toContain("$29.00");
    expect(alert!.headers["List-Unsubscribe-Post"]).toBe("List-Unsubscribe=One-Click");
    expect((await listMails(pendingAddress)).map(({ event }) => event)).toEqual(["subscription-confirm"]);

    const link = /<([^>]*)>/.exec(alert!.headers["List-Unsubscribe"] ?? "")![1]!;
    const { status, body } = await call(unsubscribeCall, "/subscription/unsubscribe", {
      query: new URL(link).search.slice(1),
      raw: "List-Unsubscribe=One-Click",
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    expect([status, body.data.state]).toEqual([200, "ended"]);
    expect(await getState(reader)).toBe("ended");
    await sale.setClockAhead("0");
  });

  it("is dropped when its recipient unsubscribes before it is sent", async () => {
    const reader = await createSubscriber();
    const product = await createProduct({ plans: [{ type: "week", keys: 3 }] });
    await createDeal(product.plans[0]!.id, { priceCents: 100, endsIn: "9 days" });
    await sale.setClockAhead("1 day 6 minutes");
    await announceDeals();
    await sale.runQueue({ mails: false });
    await unsubscribe(
      { token: createSignedToken("unsubscribe", { email: reader, topic: "discounts" }) },
      "en",
    );
    expect((await listMails(reader)).map(({ event }) => event)).toEqual(["subscription-confirm"]);
    await sale.setClockAhead("0");
  });
});

describe("unsubscribing", () => {
  it("needs the link; an address alone gets the link mailed", async () => {
    const reader = await createSubscriber();
    expect(await unsubscribe({ email: reader }, "en")).toEqual({ state: "sent", topics: [] });
    expect(await unsubscribe({ email: uniqueAddress() }, "en")).toEqual({ state: "sent", topics: [] });
    expect(await getState(reader)).toBe("confirmed");
    const [mail] = await listMails(reader);
    expect(mail!.event).toBe("unsubscribe-link");
    await unsubscribe({ token: findToken(mail!.text), all: true }, "en");
    expect(await getState(reader)).toBe("ended");
    await expect(unsubscribe({ token: "x.y" }, "en")).rejects.toMatchObject({ error: "link_invalid" });
    await expect(unsubscribe({}, "en")).rejects.toMatchObject({ error: "email_invalid" });
  });

  it("by the requested link ends all topics, also for wait-list entries alone", async () => {
    const user = await createSignedInUser();
    const plan = (await createSinglePlan({ keys: 0 })).id;
    await joinWaitList(user.viewer, { vip_id: plan });
    await unsubscribe({ email: user.email }, "en");
    const [mail] = await listMails(user.email);
    const token = findToken(mail!.text);
    expect(findUnsubscribeLink(token)).toEqual({ email: user.email, topic: "all" });
    expect(await unsubscribe({ token }, "en")).toEqual({
      state: "ended",
      topics: ["discounts", "wait_list", "wishlist"],
    });
    expect(await acceptsMail(user.email, "wait_list")).toBe(false);
    const ownEntries = and(eq(waitList.userId, user.viewer.userId), isNull(waitList.outcome));
    expect(await db.$count(waitList, ownEntries)).toBe(0);
  });

  it("by the link of a bulk mail ends its topic only", async () => {
    const reader = await createSubscriber();
    const token = unsubscribeToken(reader, "wait_list");
    expect(findUnsubscribeLink(token)).toEqual({ email: reader, topic: "wait_list" });
    expect(await unsubscribe({ token }, "en")).toEqual({ state: "ended", topics: ["wait_list"] });
    expect(await getState(reader)).toBe("confirmed");
    expect(
      findUnsubscribeLink(createSignedToken("unsubscribe", { email: reader, topic: "orders" })),
    ).toBeNull();
  });

  it("is undone by subscribing again", async () => {
    const reader = await createSubscriber();
    await unsubscribe(
      { token: createSignedToken("unsubscribe", { email: reader, topic: "discounts" }) },
      "en",
    );
    await sale.setClockAhead("11 minutes");
    await requestSubscription(reader);
    const [mail] = await listMails(reader);
    await confirmSubscription(findToken(mail!.text));
    expect(await getState(reader)).toBe("confirmed");
    await sale.setClockAhead("0");
  });
});

describe("signed tokens", () => {
  it("are valid for their own purpose only", () => {
    const token = createSignedToken("unsubscribe", { email: "a@b.c", topic: "discounts" });
    expect(verifySignedToken("unsubscribe", token)).toEqual({ email: "a@b.c", topic: "discounts" });
    expect(verifySignedToken("subscription-confirm", token)).toBeNull();
    for (const invalidToken of ["", ".", token.slice(1), `${token}.x`, "x".repeat(5000)])
      expect(verifySignedToken("unsubscribe", invalidToken)).toBeNull();
  });
});
