import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { createSignedInUser, type SignedInUser } from "@/db/factories/accounts";
import { createProduct } from "@/db/factories/catalog";
import { createCoupon } from "@/db/factories/coupons";
import { auditSale } from "./audit";
import { type Shopper, type ShopperResponse, shopperAt, sleep } from "./shopper";
import type { Stand } from "./deployment";

export type Plan = { productId: number; id: number; keys: string[] };
export type Sale = { user: SignedInUser; shopper: Shopper; plan: Plan; outcome: string; coupon?: string };

export async function planOf(keys: number): Promise<Plan> {
  const made = await createProduct({ plans: [{ keys }] });
  const [plan] = made.plans;
  return { productId: made.id, id: plan!.id, keys: plan!.keys };
}

export async function newSales(
  stand: Stand,
  count: number,
  plan: Plan,
  random: () => number = () => 1,
): Promise<Sale[]> {
  const sales: Sale[] = [];
  for (let made = 0; made < count; made += 20) {
    const users = await Promise.all(
      Array.from({ length: Math.min(20, count - made) }, () => createSignedInUser()),
    );
    for (const user of users) {
      const lot = random();
      const outcome = lot < 0.15 ? "declined" : lot < 0.3 ? "processing_succeeded" : "succeeded";
      const coupon = random() < 0.3 ? await createCoupon({ amountCents: 100 }) : undefined;
      sales.push({ user, shopper: shopperAt(stand.address, user), plan, outcome, coupon });
    }
  }
  return sales;
}

const SERVED = ["paid", "processing", "shipped", "completed"];

/** A shopper who gets what they came for: whatever breaks off, they look again and go on from what they see. */
export async function buy(stand: Stand, { shopper, plan, outcome, coupon }: Sale): Promise<void> {
  const once = () => ({ "idempotency-key": randomUUID() });
  let next = outcome;
  for (let attempt = 0; ; attempt++) {
    const orders = await shopper("/order/list");
    if (orders.status !== 200) await sleep(150);
    else if (orders.data.total > 0) {
      const [order] = orders.data.orders;
      if (SERVED.includes(order.status)) return;
      if (order.status === "pending" && (await payAt(stand, shopper, order.order_id, next)))
        next = "succeeded";
    } else {
      const cart = await shopper("/cart/list");
      const line = { product_id: plan.productId, vip_id: plan.id, quantity: 1 };
      if (cart.data?.total === 0) await shopper("/cart/add", line, once());
      else if (cart.data) await shopper("/order/create", coupon ? { coupon_code: coupon } : {}, once());
    }
    await sleep(Math.min(1500, 30 * 1.2 ** attempt)); // backs off as a waiting page does
  }
}

/** Opens the payment in the shop, then pays at the provider as a browser does. False when anything broke off. */
export async function payAt(
  stand: Stand,
  shopper: Shopper,
  order_id: string,
  outcome = "succeeded",
): Promise<boolean> {
  const opened = await shopper("/payment/stripe/create-payment-intent", { order_id });
  if (opened.code !== "200") return false;
  const { client_secret } = opened.data;
  const response = await stand.atProvider("confirm", { client_secret, outcome }).catch(() => null);
  return response !== null;
}

/** Waits until every rule holds with everything at rest; answers the milliseconds it took, or throws what is broken. */
export async function untilAtRest(seconds: number): Promise<number> {
  const began = performance.now();
  for (;;) {
    const broken = await auditSale({ atRest: true }).catch((error: Error) => [`audit: ${error.message}`]);
    if (broken.length === 0) return performance.now() - began;
    if (performance.now() - began > seconds * 1000) throw new Error(`not at rest:\n${broken.join("\n")}`);
    await sleep(250);
  }
}

/** Again until a busy server has time. */
export async function answered(ask: () => Promise<ShopperResponse>): Promise<ShopperResponse> {
  for (let tries = 0; ; tries++) {
    const response = await ask();
    if (response.code === "200" || tries > 60) return response;
    await sleep(500);
  }
}

/** Every buyer was charged once, has one key, and one mail with exactly that key; answers what is wrong. */
export async function checkServed(stand: Stand, sales: Sale[]): Promise<string[]> {
  const wrong: string[] = [];
  const seen = new Map<string, string>();
  for (const [at, { user, shopper }] of sales.entries()) {
    const otherUser = sales[(at + 1) % sales.length]!;
    const [facts] = await db.execute<{ orders: number; paid: number; keys: number }>(sql`
      select count(*)::int as orders, coalesce(sum((select count(*) from payments p where p.order_id = o.id and p.state = 'succeeded')), 0)::int as paid,
        coalesce(sum((select count(*) from order_lines l join keys k on k.order_line_id = l.id where l.order_id = o.id and k.state = 'assigned')), 0)::int as keys
      from orders o where o.user_id = ${user.id} and o.status = 'completed'`);
    if (facts?.orders !== 1 || facts.paid !== 1 || facts.keys !== 1)
      wrong.push(`${user.email}: ${JSON.stringify(facts)}`);
    const { data } = await answered(() => shopper("/library"));
    if (data?.items?.length !== 1) wrong.push(`${user.email}: ${data?.items?.length} codes in the library`);
    const mails = [...stand.mail.mails.values()].filter((mail) => mail.to === user.email);
    for (const { library_id } of data?.items ?? []) {
      const code: string =
        (await answered(() => shopper("/library/reveal", { library_id }))).data?.code ?? "";
      const seenBy =
        otherUser.user.id === user.id ? null : await otherUser.shopper("/library/reveal", { library_id });
      if (seenBy?.code === "200") wrong.push(`${otherUser.user.email} sees the code of ${user.email}`);
      const carrying = mails.filter((mail) => mail.text.split("\n").includes(code));
      if (carrying.length !== 1)
        wrong.push(`${user.email}: ${carrying.length} mails hold the code of the page`);
      if (seen.has(code)) wrong.push(`a code of ${seen.get(code)} also belongs to ${user.email}`);
      seen.set(code, user.email);
    }
  }
  return wrong;
}

export async function shiftClock(interval: string): Promise<void> {
  await db.execute(sql`update shop_clock set shift = shift + ${interval}::interval`);
  // The queue uses the real clock of the database, so its delayed jobs are moved earlier by the same interval.
  await db.execute(sql`
    select graphile_worker.reschedule_jobs(array[id], run_at => run_at - ${interval}::interval)
    from graphile_worker.jobs where run_at > now() and locked_at is null`);
}
