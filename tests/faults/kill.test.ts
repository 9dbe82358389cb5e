import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { closeDatabase, db } from "@/db/client";
import { createSignedInUser, type SignedInUser } from "@/db/factories/accounts";
import { createProduct } from "@/db/factories/catalog";
import { findMailboxMails } from "@/lib/notifications/find-mailbox-mails";
import { env } from "@/lib/platform/env";
import { AUDIT_RULES, auditSale } from "../setup/audit";
import { rounds } from "../setup/rounds";
import { startTestServer, type TestServer } from "../setup/shop";
import { SEED, type Shopper, seeded, shopperAt, sleep } from "../setup/shopper";
import { findPlaintext } from "./plaintext-search";

const KILLS = rounds(10, 1);
const SALES = KILLS * rounds(4, 6);
const LOG = "test-results/kill.log";
const random = seeded(SEED);

type Plan = { product_id: number; vip_id: number; dealId: string | null; keys: string[] };
type Sale = {
  user: SignedInUser;
  shopper: Shopper;
  plan: Plan;
  quantity: number;
  declinesFirst: boolean;
  slowPayment: boolean;
  /** pays on the page of a method that redirects */
  redirects: boolean;
};
let server: TestServer;
const sales: Sale[] = [];
const codes: string[] = [];
beforeAll(async () => {
  rmSync(LOG, { force: true });
  const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir } = env();
  server = await startTestServer({ databaseUrl, dataDir, log: LOG });
  const plans: Plan[] = [];
  for (const input of [
    { keys: 60 },
    { keys: 60, priceCents: 1000, deal: { priceCents: 600, quantity: 15 } },
    { keys: 60, purchaseLimit: 2 },
  ]) {
    const product = await createProduct({ plans: [input] });
    const [plan] = product.plans;
    plans.push({ product_id: product.id, vip_id: plan!.id, dealId: plan!.dealId, keys: plan!.keys });
    codes.push(...plan!.keys);
  }
  for (let n = 0; n < SALES; n++) {
    const user = await createSignedInUser();
    sales.push({
      user,
      shopper: countResponses(shopperAt(server.address, user)),
      plan: plans[n % plans.length]!,
      quantity: 1 + (n % 2),
      declinesFirst: random() < 0.2,
      slowPayment: random() < 0.3,
      redirects: n % 3 === 1,
    });
  }
});
afterAll(async () => {
  await server.stop();
  await closeDatabase();
});

/** The server is killed after a number of responses, not after a time, so that slow machines are killed at the same points. */
let responses = 0;
const countResponses =
  (shopper: Shopper): Shopper =>
  async (...call) => {
    const response = await shopper(...call);
    if (response.status > 0) responses++;
    return response;
  };

/** Buys until the order is paid: after every failure the shopper reads the order and continues from its state. */
async function buy({ shopper, plan, quantity, declinesFirst, slowPayment, redirects }: Sale): Promise<void> {
  let declines = declinesFirst;
  const newKey = () => ({ "idempotency-key": randomUUID() }); // for each click, as the storefront sends
  for (;;) {
    const orders = await shopper("/order/list");
    if (orders.status !== 200) await sleep(100);
    else if (orders.data.total > 0) {
      const [order] = orders.data.orders;
      if (["paid", "processing", "shipped", "completed"].includes(order.status)) return;
      if (order.status !== "pending") await sleep(200);
      else if (
        await tryToPay(
          shopper,
          order.order_id,
          declines ? "declined" : slowPayment ? "processing_succeeded" : "succeeded",
          redirects,
        )
      )
        declines = false;
    } else {
      const cart = await shopper("/cart/list");
      const { product_id, vip_id } = plan;
      if (cart.data?.total === 0) await shopper("/cart/add", { product_id, vip_id, quantity }, newKey());
      else if (cart.data) await shopper("/order/create", {}, newKey());
    }
    await sleep(20);
  }
}

async function tryToPay(
  shopper: Shopper,
  order_id: string,
  outcome: string,
  redirects: boolean,
): Promise<boolean> {
  const opened = await shopper("/payment/stripe/create-payment-intent", { order_id });
  if (opened.code !== "200") return false;
  const { client_secret } = opened.data;
  const method = redirects && {
    payment_method: "alipay",
    return_path: `/payment/success?order_id=${order_id}`,
  };
  const confirmed = await shopper("/payment/sandbox/confirm", { client_secret, outcome, ...method });
  if (confirmed.code !== "200") return false;
  return redirects ? payThere(confirmed.data.redirect_url, outcome) : true;
}

/** Ends the page of the method; false when the server was gone meanwhile. */
async function payThere(page: string, outcome: string): Promise<boolean> {
  const { origin, pathname, searchParams } = new URL(page, server.address);
  const choice = outcome === "declined" ? "refused" : "paid";
  const body = new URLSearchParams({ link: searchParams.get("link")!, choice });
  const answer = await fetch(`${origin}${pathname}/answer`, {
    method: "POST",
    body,
    redirect: "manual",
  }).catch(() => null);
  return answer?.status === 303;
}

it(`kill -9 of the server ${KILLS} times during ${SALES} sales loses and duplicates nothing`, async () => {
  const start = Date.now();
  const purchases: Promise<void>[] = [];
  const interrupted: number[] = [];
  let done = 0;
  const perKill = SALES / KILLS;
  for (let kill = 0; kill < KILLS; kill++) {
    for (const sale of sales.slice(kill * perKill, (kill + 1) * perKill))
      purchases.push(buy(sale).then(() => void done++));
    const killAt = responses + Math.ceil(random() * 60);
    while (responses < killAt && done < purchases.length) await sleep(2);
    await sleep(random() * 20);
    expect(await server.kill()).toBe("SIGKILL");
    interrupted.push(purchases.length - done);
    await server.start();
  }
  await Promise.all(purchases);
  const bought = Date.now();
  await expect.poll(() => auditSale({ whenIdle: true }), { timeout: 300_000, interval: 500 }).toEqual([]);
  const idle = Date.now();

  const orders = await db.execute<{ user_id: string; status: string; keys: number; paid: number }>(sql`
    select o.user_id, o.status, (select count(*)::int from order_lines l join keys k on k.order_line_id = l.id
      where l.order_id = o.id and k.state = 'assigned') as keys,
      (select count(*)::int from payments p where p.order_id = o.id and p.state = 'succeeded') as paid from orders o`);
  expect(orders).toHaveLength(SALES);
  for (const { user, quantity } of sales)
    expect(orders.filter((order) => order.user_id === user.id)).toEqual([
      { user_id: user.id, status: "completed", keys: quantity, paid: 1 },
    ]);

  const delivered: string[] = [];
  for (const { user, shopper, quantity } of sales) {
    const mails = (await findMailboxMails(user.email))!.filter((mail) => mail.event === "keys");
    expect(mails).toHaveLength(1);
    const { data } = await shopper("/library");
    expect(data.total).toBe(quantity);
    for (const { library_id } of data.items) {
      const { code } = (await shopper("/library/reveal", { library_id })).data;
      expect(mails[0]!.text.split("\n")).toContain(code);
      delivered.push(code);
    }
  }
  expect(new Set(delivered).size).toBe(delivered.length);
  expect(codes).toEqual(expect.arrayContaining(delivered));

  expect((await findPlaintext(codes, [LOG])).found).toEqual([]);
  expect((await findPlaintext([sales[0]!.user.email], [LOG])).found).toContain("table public.users"); // proves that the search works
  const s = (from: number, to: number) => `${((to - from) / 1000).toFixed(1)} s`;
  console.log(
    `kill -9: n=${KILLS} kills during ${SALES} sales (${interrupted.join(",")} open at each), ${delivered.length} keys: ` +
      `0 lost, 0 duplicated, 0 without an email, ${AUDIT_RULES} rules hold, no code in plain text in any table or log; ` +
      `all paid after ${s(start, bought)}, idle ${s(bought, idle)} later, seed=${SEED}`,
  );
});
