import { sql } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { db } from "@/db/client";
import { createKeys, createProduct } from "@/db/factories/catalog";
import { createOrder } from "@/db/factories/orders";
import { findMailboxMails } from "@/lib/notifications/queries";
import { unsubscribe } from "@/lib/notifications/subscriptions/commands";
import { joinWaitList, notifyWaitList } from "@/lib/notifications/wait-list/commands";
import { createSignedToken } from "@/lib/platform/auth/signed-link";
import * as sale from "../setup/sale";

afterAll(sale.endSale);

let plan: number;
beforeEach(async () => {
  await db.execute(sql`update wait_list set state = 'left' where state = 'waiting'`);
  plan = (await createProduct({ plans: [{ type: "month" }] })).plans[0]!.id;
});

const join = (buyer: sale.Buyer, email?: string) => joinWaitList(buyer.viewer, { vip_id: plan, email });
const buyers = (count: number) => Promise.all(Array.from({ length: count }, () => sale.newBuyer()));
const told = async (buyer: sale.Buyer) => {
  await sale.runQueue();
  return ((await findMailboxMails(buyer.email)) ?? []).filter(({ event }) => event === "wait-list").length;
};
const states = async () =>
  (
    await db.execute<{ state: string }>(
      sql`select state from wait_list where plan_id = ${plan} order by created_at, id`,
    )
  ).map(({ state }) => state);
/** Waits one after the other, so that there is an oldest. */
async function queue(...people: sale.Buyer[]) {
  for (const person of people) await join(person);
}

describe("the wait-list", () => {
  it("takes a person once for a sold-out plan, and nobody for one that can be bought", async () => {
    const [buyer] = await buyers(1);
    const first = await join(buyer!);
    expect(await join(buyer!)).toEqual(first);
    expect(await Promise.all([join(buyer!), join(buyer!)])).toEqual([first, first]);
    expect(await states()).toEqual(["waiting"]);
    await createKeys(plan, 1);
    await expect(join(buyer!)).rejects.toMatchObject({ error: "plan_in_stock" });
    await expect(joinWaitList(buyer!.viewer, { vip_id: 2_000_000 })).rejects.toMatchObject({
      error: "product_unknown",
    });
  });

  it("writes to nobody else's address", async () => {
    const [buyer] = await buyers(1);
    await expect(join(buyer!, "somebody@else.example")).rejects.toMatchObject({
      error: "delivery_email_unverified",
    });
    expect(await states()).toEqual([]);
  });

  it("tells the oldest first, as many as there are codes, each once, two workers at a time", async () => {
    const people = await buyers(4);
    await queue(...people);
    expect(await notifyWaitList()).toBe(0);
    await createKeys(plan, 2);
    const counts = await Promise.all([notifyWaitList(), notifyWaitList(), notifyWaitList()]);
    expect(counts.reduce((a, b) => a + b)).toBe(2);
    expect(await states()).toEqual(["told", "told", "waiting", "waiting"]);
    const counted: number[] = [];
    for (const person of people) counted.push(await told(person));
    expect(counted).toEqual([1, 1, 0, 0]);
    expect(await notifyWaitList()).toBe(0);
  });

  it("tells the next ones a day later, if codes are still there", async () => {
    const people = await buyers(3);
    await queue(...people);
    await createKeys(plan, 2);
    await notifyWaitList();
    await sale.setClockAhead("25 hours");
    expect(await notifyWaitList()).toBe(1);
    expect(await states()).toEqual(["told", "told", "told"]);
    await sale.setClockAhead("0");
  });

  it("forgets who has bought the plan meanwhile", async () => {
    const [buyer] = await buyers(1);
    await queue(buyer!);
    await createOrder(buyer!, plan, { status: "completed" });
    await createKeys(plan, 1);
    expect(await notifyWaitList()).toBe(0);
    expect(await states()).toEqual(["left"]);
  });

  it("waits on when the codes are gone before the mail goes out", async () => {
    const [buyer] = await buyers(1);
    await queue(buyer!);
    await createKeys(plan, 1);
    expect(await notifyWaitList()).toBe(1);
    await db.execute(sql`update keys set state = 'revoked' where plan_id = ${plan}`);
    expect(await told(buyer!)).toBe(0);
    expect(await states()).toEqual(["waiting"]);
    await sale.setClockAhead("25 hours");
    await createKeys(plan, 1);
    expect(await notifyWaitList()).toBe(1);
    expect(await told(buyer!)).toBe(1);
    await sale.setClockAhead("0");
  });

  it("keeps silent towards who wants no such mail, until they ask again", async () => {
    const [buyer] = await buyers(1);
    await queue(buyer!);
    const token = createSignedToken("unsubscribe", { email: buyer!.email, topic: "wait_list" });
    await unsubscribe({ token }, "en");
    expect(await states()).toEqual(["left"]);
    await join(buyer!);
    await createKeys(plan, 1);
    await notifyWaitList();
    expect(await told(buyer!)).toBe(1);
  });
});
