import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { createSignedInUser, type SignedInUser } from "@/db/factories/accounts";
import { createProduct } from "@/db/factories/catalog";
import { createCoupon } from "@/db/factories/coupons";
import { auditSale } from "@/tests/setup/audit";
import { type Shopper, type ShopperResponse, shopperAt, sleep } from "@/tests/setup/shopper";
import type { Deployment } from "./deployment";

/** What a sale needs of a deployment. */
export type Shop = Pick<Deployment, "address" | "callProvider" | "mail">;
export type Plan = { productId: number; id: number; keys: string[] };
export type Sale = { user: SignedInUser; shopper: Shopper; plan: Plan; outcome: string; coupon?: string };

export async function createPlan(keys: number): Promise<Plan> {
  const product = await createProduct({ plans: [{ keys }] });
  const [plan] = product.plans;
  return { productId: product.id, id: plan!.id, keys: plan!.keys };
}

export async function createSales(
  deployment: Shop,
  count: number,
  plan: Plan,
  random: () => number = () => 1,
): Promise<Sale[]> {
  const sales: Sale[] = [];
  for (let created = 0; created < count; created += 20) {
    const users = await Promise.all(
      Array.from({ length: Math.min(20, count - created) }, () => createSignedInUser()),
    );
    for (const user of users) {
      const chance = random();
      const outcome = chance < 0.15 ? "declined" : chance < 0.3 ? "processing_succeeded" : "succeeded";
      const coupon = random() < 0.3 ? await createCoupon({ amountCents: 100 }) : undefined;
      sales.push({ user, shopper: shopperAt(deployment.address, user), plan, outcome, coupon });
    }
  }
  return sales;
}

const PAID_STATUSES = ["paid", "processing", "shipped", "completed"];

/** Buys until the order is paid. After every failure the shopper reads the order and continues from its state. */
export async function buy(deployment: Shop, { shopper, plan, outcome, coupon }: Sale): Promise<void> {
  const newKey = () => ({ "idempotency-key": randomUUID() });
  let nextOutcome = outcome;
  for (let attempt = 0; ; attempt++) {
    const orders = await shopper("/order/list");
    if (orders.status !== 200) await sleep(150);
    else if (orders.data.total > 0) {
      const [order] = orders.data.orders;
      if (PAID_STATUSES.includes(order.status)) return;
      if (order.status === "pending" && (await openAndPay(deployment, shopper, order.order_id, nextOutcome)))
        nextOutcome = "succeeded";
    } else {
      const cart = await shopper("/cart/list");
      const line = { product_id: plan.productId, vip_id: plan.id, quantity: 1 };
      if (cart.data?.total === 0) await shopper("/cart/add", line, newKey());
      else if (cart.data) await shopper("/order/create", coupon ? { coupon_code: coupon } : {}, newKey());
    }
    await sleep(Math.min(1500, 30 * 1.2 ** attempt)); // longer pauses after each attempt
  }
}

/** Opens the payment on the server, then confirms it at the provider as a browser does. False when either failed. */
export async function openAndPay(
  deployment: Shop,
  shopper: Shopper,
  order_id: string,
  outcome = "succeeded",
): Promise<boolean> {
  const opened = await shopper("/payment/stripe/create-payment-intent", { order_id });
  if (opened.code !== "200") return false;
  const { client_secret } = opened.data;
  const response = await deployment.callProvider("confirm", { client_secret, outcome }).catch(() => null);
  return response !== null;
}

/** Waits until all rules of an idle system hold. Returns the milliseconds; throws the broken rules after the timeout. */
export async function waitUntilIdle(seconds: number): Promise<number> {
  const start = performance.now();
  for (;;) {
    const broken = await auditSale({ whenIdle: true }).catch((error: Error) => [`audit: ${error.message}`]);
    if (broken.length === 0) return performance.now() - start;
    if (performance.now() - start > seconds * 1000) throw new Error(`not idle:\n${broken.join("\n")}`);
    await sleep(250);
  }
}

/** Repeats a request while the server is overloaded, up to 60 times. */
export async function retryUntilOk(request: () => Promise<ShopperResponse>): Promise<ShopperResponse> {
  for (let retries = 0; ; retries++) {
    const response = await request();
    if (response.code === "200" || retries > 60) return response;
    await sleep(500);
  }
}

/**
 * Checks that every buyer was charged once, has one key and one email with exactly this key, and cannot reveal the key of
 * another buyer. Returns the problems.
 */
export async function findUnservedSales(deployment: Shop, sales: Sale[]): Promise<string[]> {
  const problems: string[] = [];
  const ownerOfCode = new Map<string, string>();
  for (const [index, { user, shopper }] of sales.entries()) {
    const otherUser = sales[(index + 1) % sales.length]!;
    const [facts] = await db.execute<{ orders: number; paid: number; keys: number }>(sql`
      select count(*)::int as orders, coalesce(sum((select count(*) from payments p where p.order_id = o.id and p.state = 'succeeded')), 0)::int as paid,
        coalesce(sum((select count(*) from order_lines l join keys k on k.order_line_id = l.id where l.order_id = o.id and k.state = 'assigned')), 0)::int as keys
      from orders o where o.user_id = ${user.id} and o.status = 'completed'`);
    if (facts?.orders !== 1 || facts.paid !== 1 || facts.keys !== 1)
      problems.push(`${user.email}: ${JSON.stringify(facts)}`);
    const { data } = await retryUntilOk(() => shopper("/library"));
    if (data?.items?.length !== 1)
      problems.push(`${user.email}: ${data?.items?.length} codes in the library`);
    const mails = [...deployment.mail.mails.values()].filter((mail) => mail.to === user.email);
    for (const { library_id } of data?.items ?? []) {
      const code: string =
        (await retryUntilOk(() => shopper("/library/reveal", { library_id }))).data?.code ?? "";
      const otherReveal =
        otherUser.user.id === user.id ? null : await otherUser.shopper("/library/reveal", { library_id });
      if (otherReveal?.code === "200")
        problems.push(`${otherUser.user.email} can reveal the code of ${user.email}`);
      const withCode = mails.filter((mail) => mail.text.split("\n").includes(code));
      if (withCode.length !== 1)
        problems.push(`${user.email}: ${withCode.length} emails contain the code of the library`);
      if (ownerOfCode.has(code))
        problems.push(`a code of ${ownerOfCode.get(code)} also belongs to ${user.email}`);
      ownerOfCode.set(code, user.email);
    }
  }
  return problems;
}

export async function shiftClock(interval: string): Promise<void> {
  await db.execute(sql`update shop_clock set shift = shift + ${interval}::interval`);
  // The queue uses the real clock of the database, so its delayed jobs are moved earlier by the same interval.
  await db.execute(sql`
    select graphile_worker.reschedule_jobs(array[id], run_at => run_at - ${interval}::interval)
    from graphile_worker.jobs where run_at > now() and locked_at is null`);
}
