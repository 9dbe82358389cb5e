import { sql } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { db } from "@/db/client";
import { createKeys, createSinglePlan } from "@/db/factories/catalog";
import { createOrder } from "@/db/factories/orders";
import { findMailboxMails } from "@/lib/notifications/find-mailbox-mails";
import { unsubscribe } from "@/lib/notifications/subscriptions/unsubscribe";
import { joinWaitList } from "@/lib/notifications/wait-list/join-wait-list";
import { notifyWaitList } from "@/lib/notifications/wait-list/notify-wait-list";
import { createSignedToken } from "@/lib/platform/auth/signed-link";
import * as sale from "../setup/sale";

afterAll(sale.closeSale);

let planId: number;
beforeEach(async () => {
  await db.execute(sql`update wait_list set outcome = 'cancelled' where outcome is null`);
  planId = (await createSinglePlan({ type: "month" })).id;
});

const join = (buyer: sale.Buyer, email?: string) => joinWaitList(buyer.viewer, { vip_id: planId, email });
const createBuyers = (count: number) => Promise.all(Array.from({ length: count }, () => sale.createBuyer()));
const countMails = async (buyer: sale.Buyer) => {
  await sale.runQueue();
  return ((await findMailboxMails(buyer.email)) ?? []).filter(({ event }) => event === "wait-list").length;
};
const listStates = async () =>
  (
    await db.execute<{ state: string }>(
      sql`select coalesce(outcome, 'waiting') as state from wait_list where plan_id = ${planId} order by created_at, id`,
    )
  ).map(({ state }) => state);
/** Adds users in sequence, so that their order is known. */
async function joinInOrder(...users: sale.Buyer[]) {
  for (const user of users) await join(user);
}

describe("the wait-list", () => {
  it("accepts a user once for a sold-out plan, and rejects a plan in stock", async () => {
    const [buyer] = await createBuyers(1);
    const first = await join(buyer!);
    expect(await join(buyer!)).toEqual(first);
    expect(await Promise.all([join(buyer!), join(buyer!)])).toEqual([first, first]);
    expect(await listStates()).toEqual(["waiting"]);
    await createKeys(planId, 1);
    await expect(join(buyer!)).rejects.toMatchObject({ error: "plan_in_stock" });
    await expect(joinWaitList(buyer!.viewer, { vip_id: 2_000_000 })).rejects.toMatchObject({
      error: "product_unknown",
    });
  });

  it("rejects another user's address", async () => {
    const [buyer] = await createBuyers(1);
    await expect(join(buyer!, "somebody@else.example")).rejects.toMatchObject({
      error: "delivery_email_unverified",
    });
    expect(await listStates()).toEqual([]);
  });

  it("notifies the oldest entries first, as many as there are keys, each once even with concurrent workers", async () => {
    const users = await createBuyers(4);
    await joinInOrder(...users);
    expect(await notifyWaitList()).toBe(0);
    await createKeys(planId, 2);
    const counts = await Promise.all([notifyWaitList(), notifyWaitList(), notifyWaitList()]);
    expect(counts.reduce((a, b) => a + b)).toBe(2);
    expect(await listStates()).toEqual(["notified", "notified", "waiting", "waiting"]);
    const mailCounts: number[] = [];
    for (const user of users) mailCounts.push(await countMails(user));
    expect(mailCounts).toEqual([1, 1, 0, 0]);
    expect(await notifyWaitList()).toBe(0);
  });

  it("notifies the next entries a day later if keys are still available", async () => {
    const users = await createBuyers(3);
    await joinInOrder(...users);
    await createKeys(planId, 2);
    await notifyWaitList();
    await sale.setClockAhead("25 hours");
    expect(await notifyWaitList()).toBe(1);
    expect(await listStates()).toEqual(["notified", "notified", "notified"]);
    await sale.setClockAhead("0");
  });

  it("removes users who have bought the plan", async () => {
    const [buyer] = await createBuyers(1);
    await joinInOrder(buyer!);
    await createOrder(buyer!, planId, { status: "completed" });
    await createKeys(planId, 1);
    expect(await notifyWaitList()).toBe(0);
    expect(await listStates()).toEqual(["cancelled"]);
  });

  it("keeps an entry waiting when the keys are sold before the mail is sent", async () => {
    const [buyer] = await createBuyers(1);
    await joinInOrder(buyer!);
    await createKeys(planId, 1);
    expect(await notifyWaitList()).toBe(1);
    await db.execute(sql`update keys set state = 'revoked' where plan_id = ${planId}`);
    expect(await countMails(buyer!)).toBe(0);
    expect(await listStates()).toEqual(["waiting"]);
    await sale.setClockAhead("25 hours");
    await createKeys(planId, 1);
    expect(await notifyWaitList()).toBe(1);
    expect(await countMails(buyer!)).toBe(1);
    await sale.setClockAhead("0");
  });

  it("sends nothing to users who unsubscribed, until they join again", async () => {
    const [buyer] = await createBuyers(1);
    await joinInOrder(buyer!);
    const token = createSignedToken("unsubscribe", { email: buyer!.email, topic: "wait_list" });
    await unsubscribe({ token }, "en");
    expect(await listStates()).toEqual(["cancelled"]);
    await join(buyer!);
    await createKeys(planId, 1);
    await notifyWaitList();
    expect(await countMails(buyer!)).toBe(1);
  });

  it("follows what a server of the previous release writes, and tells it what this one writes", async () => {
    const [first, second] = await createBuyers(2);
    await joinInOrder(first!, second!);
    await createKeys(planId, 1);
    await notifyWaitList();
    await db.execute(
      sql`update wait_list set state = 'left', ended_at = shop_now() where plan_id = ${planId} and state = 'waiting'`,
    );
    const rows = await db.execute(
      sql`select state, outcome from wait_list where plan_id = ${planId} order by created_at, id`,
    );
    expect(rows).toEqual([
      { state: "told", outcome: "notified" },
      { state: "left", outcome: "cancelled" },
    ]);
  });
});
