import { sql } from "drizzle-orm";
import { afterAll, beforeAll } from "vitest";
import { POST as add } from "@/app/api/v1/cart/add/route";
import { POST as autoAdd } from "@/app/api/v1/cart/auto-add/route";
import { POST as settle } from "@/app/api/v1/cart/settle/route";
import { POST as update } from "@/app/api/v1/cart/update/route";
import { closeDatabase, db } from "@/db/client";
import { createSignedInUser as newUser, type SignedInUser } from "@/db/factories/accounts";
import { createPlan, createProduct } from "@/db/factories/catalog";
import { createCartLine, createOrder } from "@/db/factories/orders";
import { MAX_CART_LINES } from "@/lib/cart/rules";
import { noteChanges, refusals } from "./refused";

/** A product with two keys of a plain plan, one of which a person may have, one that is free, and one that is gone. */
let made: { product_id: number; plain: number; limited: number; free: number; gone: number };
let fillers: number[];
beforeAll(async () => {
  const { id, plans } = await createProduct({
    plans: [
      { keys: 2 },
      { type: "month", keys: 2, purchaseLimit: 1 },
      { type: "day", keys: 2, priceCents: 0 },
      { type: "year" },
    ],
  });
  const [plain, limited, free, gone] = plans.map((plan) => plan.id) as [number, number, number, number];
  made = { product_id: id, plain, limited, free, gone };
  const { id: other } = await createProduct({ plans: [] });
  fillers = [];
  for (let days = 1; days <= MAX_CART_LINES; days += 1)
    fillers.push((await createPlan(other, { type: "week", days, position: days })).id);
});
noteChanges();
afterAll(closeDatabase);

/** Somebody who has had a unit of a plan with a limit. */
async function owner(planId: number): Promise<SignedInUser> {
  const who = await newUser();
  const { id } = await createOrder(who, planId, { status: "completed" });
  await db.execute(
    sql`insert into purchase_claims (user_id, plan_id, slot, order_id) values (${who.id}, ${planId}, 1, ${id})`,
  );
  return who;
}
async function withFullCart(): Promise<SignedInUser> {
  const who = await newUser();
  for (const planId of fillers) await createCartLine(who.id, planId);
  return who;
}
const full = async (vip_id: number) => ({
  who: await withFullCart(),
  body: { product_id: made.product_id, vip_id },
  params: () => ({ limit: MAX_CART_LINES }),
});
const wish = (vip_id: number, quantity?: number) => ({ product_id: made.product_id, vip_id, quantity });
const one = () => ({ limit: 1 });
const two = () => ({ count: 2 });

refusals("/cart/add", add, {
  sold_out: async () => ({ who: await newUser(), body: wish(made.gone) }),
  stock_short: async () => ({ who: await newUser(), body: wish(made.plain, 3), params: two }),
  purchase_limit: async () => ({ who: await owner(made.limited), body: wish(made.limited), params: one }),
  already_claimed: async () => ({ who: await owner(made.free), body: wish(made.free) }),
  cart_full: () => full(made.plain),
});

refusals("/cart/auto-add", autoAdd, {
  sold_out: async () => ({ who: await newUser(), body: wish(made.gone) }),
  purchase_limit: async () => ({ who: await owner(made.limited), body: wish(made.limited), params: one }),
  already_claimed: async () => ({ who: await owner(made.free), body: wish(made.free) }),
  cart_full: () => full(made.plain),
});

/** A change of the only line of a cart. */
async function changing(who: SignedInUser, planId: number, wanted: object) {
  return { who, body: { cart_id: await createCartLine(who.id, planId), ...wanted } };
}
refusals("/cart/update", update, {
  sold_out: async () => changing(await newUser(), made.plain, { vip_id: made.gone }),
  stock_short: async () => ({
    ...(await changing(await newUser(), made.plain, { quantity: 3 })),
    params: two,
  }),
  purchase_limit: async () => ({
    ...(await changing(await newUser(), made.limited, { quantity: 2 })),
    params: one,
  }),
  already_claimed: async () => changing(await owner(made.free), made.plain, { vip_id: made.free }),
});

refusals("/cart/settle", settle, {
  nothing_selected: async () => {
    const who = await newUser();
    await createCartLine(who.id, made.plain, { selected: false });
    return { who, body: {} };
  },
});
