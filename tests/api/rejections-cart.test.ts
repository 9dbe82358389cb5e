import { afterAll, beforeAll } from "vitest";
import { POST as add } from "@/app/api/v1/cart/add/route";
import { POST as autoAdd } from "@/app/api/v1/cart/auto-add/route";
import { POST as settle } from "@/app/api/v1/cart/settle/route";
import { POST as update } from "@/app/api/v1/cart/update/route";
import { closeDatabase } from "@/db/client";
import { createSignedInUser as newUser, type SignedInUser } from "@/db/factories/accounts";
import { createPlan, createProduct } from "@/db/factories/catalog";
import { createCartLine } from "@/db/factories/orders";
import { MAX_CART_LINES } from "@/lib/cart/rules";
import { createUserWithClaim, describeRejections, recordChanges } from "./rejections";

/** A product and the ids of its plans: without a limit, limited to one unit, free, and sold out. */
let ids: { product_id: number; plain: number; limited: number; free: number; soldOut: number };
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
  const [plain, limited, free, soldOut] = plans.map((plan) => plan.id) as [number, number, number, number];
  ids = { product_id: id, plain, limited, free, soldOut };
  const { id: other } = await createProduct({ plans: [] });
  fillers = [];
  for (let days = 1; days <= MAX_CART_LINES; days += 1)
    fillers.push((await createPlan(other, { type: "week", days, position: days })).id);
});
recordChanges();
afterAll(closeDatabase);

async function createUserWithFullCart(): Promise<SignedInUser> {
  const user = await newUser();
  for (const planId of fillers) await createCartLine(user.id, planId);
  return user;
}
const requestWithFullCart = async (vip_id: number) => ({
  user: await createUserWithFullCart(),
  body: { product_id: ids.product_id, vip_id },
  params: () => ({ limit: MAX_CART_LINES }),
});
const cartInput = (vip_id: number, quantity?: number) => ({ product_id: ids.product_id, vip_id, quantity });
const limitParams = () => ({ limit: 1 });
const countParams = () => ({ count: 2 });

describeRejections("/cart/add", add, {
  sold_out: async () => ({ user: await newUser(), body: cartInput(ids.soldOut) }),
  stock_short: async () => ({ user: await newUser(), body: cartInput(ids.plain, 3), params: countParams }),
  purchase_limit: async () => ({
    user: await createUserWithClaim(ids.limited),
    body: cartInput(ids.limited),
    params: limitParams,
  }),
  cart_full: () => requestWithFullCart(ids.plain),
});

describeRejections("/cart/auto-add", autoAdd, {
  sold_out: async () => ({ user: await newUser(), body: cartInput(ids.soldOut) }),
  purchase_limit: async () => ({
    user: await createUserWithClaim(ids.limited),
    body: cartInput(ids.limited),
    params: limitParams,
  }),
  cart_full: () => requestWithFullCart(ids.plain),
});

/** An update of the only line of a cart. */
async function createUpdate(user: SignedInUser, planId: number, changes: object) {
  return { user, body: { cart_id: await createCartLine(user.id, planId), ...changes } };
}
describeRejections("/cart/update", update, {
  sold_out: async () => createUpdate(await newUser(), ids.plain, { vip_id: ids.soldOut }),
  stock_short: async () => ({
    ...(await createUpdate(await newUser(), ids.plain, { quantity: 3 })),
    params: countParams,
  }),
  purchase_limit: async () => ({
    ...(await createUpdate(await newUser(), ids.limited, { quantity: 2 })),
    params: limitParams,
  }),
});

describeRejections("/cart/settle", settle, {
  nothing_selected: async () => {
    const user = await newUser();
    await createCartLine(user.id, ids.plain, { selected: false });
    return { user, body: {} };
  },
});
