import { readFileSync } from "node:fs";
import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import { db } from "@/db/client";
import { reviews } from "@/db/schema/reviews";
import { RegisterDirectlyInput } from "@/lib/accounts/contract";
import { registerDirectly } from "@/lib/accounts/registration/register";
import { addToCart } from "@/lib/cart/add-to-cart";
import { SELLABLE_KEY } from "@/lib/catalog/rules";
import { activatePass } from "@/lib/delivery/library/activate-pass";
import { revealKey } from "@/lib/orders/fulfilment/reveal-key";
import { settleAndAssign } from "@/lib/orders/payment/settle-payment";
import { startPayment } from "@/lib/orders/payment/start-payment";
import { placeOrder } from "@/lib/orders/placing/place-order";
import type { UserViewer } from "@/lib/platform/auth/session";
import { randomText } from "@/lib/platform/crypto/ids";
import { env } from "@/lib/platform/env";
import { confirmSandboxIntent } from "@/lib/platform/stripe/sandbox/confirm";
import { createReview } from "@/lib/reviews/create-review";
import { detectLanguage } from "@/lib/reviews/rules";
import { demoAccount } from "./demo-account";

/** A purchase of the demo account, `daysAgo` full days before the start. */
type Purchase = { slug: string; days: number; daysAgo: number; codes: "shown" | "unrevealed" };

/** Oldest first, because order numbers run by month. */
const PURCHASES: readonly Purchase[] = [
  { slug: "pellmere-edit", days: 365, daysAgo: 96, codes: "shown" },
  { slug: "corvane-pair", days: 1, daysAgo: 21, codes: "shown" },
  { slug: "tolkstra-docs", days: 30, daysAgo: 12, codes: "shown" },
  { slug: "quillon-draft", days: 7, daysAgo: 3, codes: "shown" },
  { slug: "murrelet-voice", days: 30, daysAgo: 2, codes: "unrevealed" },
];
/** Days before the start at which the reviewers bought and wrote. */
const REVIEWED_DAYS_AGO = 40;

const Review = z.object({
  reviewer: z.string(),
  slug: z.string(),
  rating: z.int(),
  title: z.string(),
  content: z.string(),
});
type Review = z.output<typeof Review>;

const readReviews = (): Review[] =>
  readFileSync(new URL("../../db/seed/reviews.jsonl", import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) => Review.parse(JSON.parse(line)));

/** The products of the demo's orders and reviews. */
export const DEMO_PRODUCTS: readonly string[] = [
  ...new Set([...PURCHASES, ...readReviews()].map(({ slug }) => slug)),
];

/** Made-up orders are paid in the sandbox, and never in production, which may run the sandbox too. */
export const allowsDemoData = ({ APP_MODE, PAYMENT_MODE }: Record<"APP_MODE" | "PAYMENT_MODE", string>) =>
  APP_MODE === "demo" && PAYMENT_MODE === "sandbox";

/**
 * Gives a demo without any order its history: reviews marked as demo, and orders of the demo account with running passes.
 * Everything is bought in the payment sandbox by the shop's own commands, at earlier times of the shop's clock. Does
 * nothing in production, without the sandbox, or when the shop has orders.
 */
export async function createDemoData(say: (line: string) => void = console.log): Promise<void> {
  if (!allowsDemoData(env())) return;
  // An earlier start may have been killed while the clock was set back.
  await setClock(0);
  const [order] = await db.execute(sql`select 1 from orders limit 1`);
  if (order) return;
  try {
    await createHistory();
  } finally {
    await setClock(0);
  }
  // No one reads the emails of the past, and the payments are settled without their webhook events.
  await db.execute(sql`update mails set state = 'dropped' where state = 'queued'`);
  await db.execute(sql`update sandbox_events set due_at = null where due_at is not null`);
  say(`The demo has ${PURCHASES.length} orders and ${readReviews().length} reviews.`);
}

async function createHistory(): Promise<void> {
  const buyer = await readViewer(demoAccount.email);
  const written = readReviews();
  for (const name of new Set(written.map(({ reviewer }) => reviewer)))
    await createReviewer(name, written.find(({ reviewer }) => reviewer === name)!);
  let reviewed = false;
  for (const purchase of PURCHASES) {
    if (!reviewed && purchase.daysAgo < REVIEWED_DAYS_AGO) {
      await setClock(REVIEWED_DAYS_AGO);
      await writeReviews(written);
      reviewed = true;
    }
    await setClock(purchase.daysAgo);
    await buy(buyer, purchase);
  }
}

const reviewerEmail = (name: string) => `${Buffer.from(name).toString("hex")}@demo.passlane.example`;

/** An account that no one can sign in to: its password is random. */
async function createReviewer(name: string, { content }: Review): Promise<void> {
  const input = RegisterDirectlyInput.parse({
    user_email: reviewerEmail(name),
    user_password: randomText(24),
    username: name,
    accept_privacy: true,
    age_group: "adult",
  });
  const locale = detectLanguage(content, "zh");
  await registerDirectly({ kind: "guest", locale }, input, { device: "npm start", ip: "127.0.0.1" });
  await db.execute(
    sql`update users set email_verified_at = shop_now() where lower(email) = ${input.user_email}`,
  );
}

/** The account as the commands see a signed-in user. The commands used here need no session. */
async function readViewer(email: string): Promise<UserViewer> {
  const [user] = await db.execute<{ userId: string; username: string; locale: UserViewer["locale"] }>(
    sql`select id as "userId", username, locale from users where lower(email) = ${email}`,
  );
  if (!user) throw new Error(`The demo account ${email} is missing.`);
  const factor = { active: false, reauthenticated: false, due: false };
  return { kind: "user", ...user, email, emailVerified: true, role: "user", sessionId: "", factor };
}

/** The plan with this length, or of any length the best stocked one, with a key to sell. */
async function findPlan(slug: string, days?: number): Promise<{ id: number; productId: number }> {
  const [plan] = await db.execute<{ id: number; productId: number }>(sql`
    select pl.id, pl.product_id as "productId" from plans pl join products p on p.id = pl.product_id
    where p.slug = ${slug} and pl.listed and p.listed and pl.price_cents > 0 and pl.availability = 'in_stock'
      and (${days ?? null}::int is null or pl.duration_days = ${days ?? null}::int)
      and exists (select from keys k where k.plan_id = pl.id and ${sql.raw(SELLABLE_KEY)})
    order by (select count(*) from keys k where k.plan_id = pl.id and ${sql.raw(SELLABLE_KEY)}) desc, pl.id limit 1`);
  if (!plan) throw new Error(`The demo catalogue has no pass of ${slug} for the demo's orders.`);
  return plan;
}

async function buy(viewer: UserViewer, { slug, days, codes }: Purchase): Promise<void> {
  const { id: vip_id } = await findPlan(slug, days);
  const { order_id } = await placeOrder(viewer, { vip_id }, viewer.locale);
  await pay(viewer, order_id, codes === "shown");
  if (codes === "unrevealed") return;
  for (const library_id of await showCodes(viewer, order_id)) await activatePass(viewer, { library_id });
}

/** Shows the codes of an order, and returns their ids. */
async function showCodes(viewer: UserViewer, order_id: string): Promise<string[]> {
  const keys = await db.execute<{ id: string }>(sql`
    select k.id from keys k join order_lines l on l.id = k.order_line_id where l.order_id = ${order_id}`);
  for (const { id: library_id } of keys) await revealKey(viewer, { library_id });
  return keys.map(({ id }) => id);
}

/** Pays an order in the sandbox and assigns its codes. */
async function pay(viewer: UserViewer, order_id: string, immediate: boolean): Promise<void> {
  const choice = immediate ? { immediate_delivery: true } : { immediate_delivery: false };
  const { client_secret } = await startPayment(viewer, { order_id, ...choice });
  const confirmation = await confirmSandboxIntent(client_secret, "succeeded");
  if (!confirmation) throw new Error(`The demo's order ${order_id} could not be paid.`);
  await settleAndAssign(confirmation.intent.id);
}

/** Each reviewer buys the products in one order and writes about each. */
async function writeReviews(written: readonly Review[]): Promise<void> {
  for (const name of new Set(written.map(({ reviewer }) => reviewer))) {
    const viewer = await readViewer(reviewerEmail(name));
    const own: { review: Review; productId: number }[] = [];
    for (const review of written.filter(({ reviewer }) => reviewer === name)) {
      const { id: vip_id, productId } = await findPlan(review.slug);
      await addToCart(viewer, { product_id: productId, vip_id, quantity: 1 });
      own.push({ review, productId });
    }
    const cart = await db.execute<{ id: string }>(
      sql`select id from cart_lines where user_id = ${viewer.userId}`,
    );
    const { order_id } = await placeOrder(
      viewer,
      { cart_record_ids: cart.map(({ id }) => id) },
      viewer.locale,
    );
    await pay(viewer, order_id, true);
    await showCodes(viewer, order_id);
    for (const { review, productId } of own) {
      const { rating, title, content } = review;
      await createReview(viewer, { product_id: productId, order_id, rating, title, content });
    }
    await db.update(reviews).set({ demo: true }).where(eq(reviews.userId, viewer.userId));
  }
}

/** Sets the shop's clock back by days; 0 is now. */
async function setClock(daysAgo: number): Promise<void> {
  await db.execute(sql`update shop_clock set shift = make_interval(days => ${-daysAgo})`);
}
