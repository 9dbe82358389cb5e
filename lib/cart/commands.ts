import { and, eq, sql } from "drizzle-orm";
import { type Db, db, type Tx, transaction } from "@/db/client";
import { users } from "@/db/schema/accounts";
import { cartLines } from "@/db/schema/cart";
import { stockState } from "@/lib/catalog/pricing/rules";
import { AVAILABILITY_NOW, type Availability, MAX_QUANTITY, SELLABLE_KEY } from "@/lib/catalog/rules";
import type { UserViewer } from "@/lib/platform/auth/session";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import type {
  AddToCartInput,
  AutoAddToCartInput,
  CartAdded,
  DeleteFromCartInput,
  UpdateCartInput,
} from "./contract";
import { COUNTED_CLAIM, getCart } from "./queries";
import { MAX_CART_LINES } from "./rules";

type PlanRow = {
  id: number;
  product_id: number;
  price_cents: number;
  availability: Availability;
  purchase_limit: number | null;
  stock: number;
  already_bought: number;
};

/**
 * Adds a plan to the cart, or to the line that holds it (docs/product.md#74-cart-and-coupons). `source`: of the buyer's
 * attribution.
 * @throws ShopError product_unknown, sold_out, stock_short, purchase_limit, cart_full
 */
export async function addToCart(
  viewer: UserViewer,
  input: AddToCartInput,
  source?: string,
): Promise<CartAdded> {
  return transaction(async (tx) => {
    await lockBuyer(tx, viewer.userId);
    const plan = await findPlan(tx, viewer.userId, input.vip_id);
    if (!plan || plan.product_id !== input.product_id) throw new ShopError("product_unknown");
    const [line] = await tx
      .select({ quantity: cartLines.quantity })
      .from(cartLines)
      .where(isLineOf(viewer.userId, plan.id));
    const quantity = Math.min(MAX_QUANTITY, (line?.quantity ?? 0) + input.quantity);
    assertSellable(plan, quantity);
    if (!line && (await countLines(tx, viewer.userId)) >= MAX_CART_LINES)
      throw new ShopError("cart_full", { params: { limit: MAX_CART_LINES } });
    const [saved] = await tx.execute<{ id: string }>(sql`
      insert into cart_lines (id, user_id, product_id, plan_id, quantity, source)
      values (${newId("cart")}, ${viewer.userId}, ${plan.product_id}, ${plan.id}, ${quantity}, ${source ?? null})
      on conflict (user_id, plan_id) do update set quantity = excluded.quantity, selected = true returning id`);
    return { cart_id: saved!.id, quantity, total: await countLines(tx, viewer.userId) };
  });
}

/**
 * Adds the named plan, else the product's cheapest in stock, after a login that an add-to-cart caused
 * (docs/product.md#74-cart-and-coupons). A plan already in the cart stays unchanged, so that reloading adds nothing.
 */
export async function autoAddToCart(
  viewer: UserViewer,
  input: AutoAddToCartInput,
  source?: string,
): Promise<CartAdded> {
  const [plan] = await db.execute<{ id: number; cart_id: string | null; quantity: number }>(sql`
    select pl.id, c.id as cart_id, coalesce(c.quantity, 0) as quantity from plans pl
    join products p on p.id = pl.product_id and p.listed
    left join cart_lines c on c.plan_id = pl.id and c.user_id = ${viewer.userId}
    where pl.product_id = ${input.product_id} and pl.listed and (${input.vip_id ?? null}::int is null or pl.id = ${input.vip_id ?? null})
    order by (${sql.raw(AVAILABILITY_NOW)} = 'pre_order' or ${sql.raw(AVAILABILITY_NOW)} = 'in_stock' and exists (
        select 1 from keys k where k.plan_id = pl.id and ${sql.raw(SELLABLE_KEY)})) desc, pl.price_cents, pl.id
    limit 1`);
  if (!plan) throw new ShopError("product_unknown");
  if (plan.cart_id)
    return { cart_id: plan.cart_id, quantity: plan.quantity, total: await countLines(db, viewer.userId) };
  return addToCart(viewer, { product_id: input.product_id, vip_id: plan.id, quantity: 1 }, source);
}

/**
 * Changes a line's quantity, plan (of the same product; merges with a line of that plan) or selection. Returns the
 * whole cart.
 * @throws ShopError cart_line_unknown, product_unknown, sold_out, stock_short, purchase_limit
 */
export async function updateCart(viewer: UserViewer, input: UpdateCartInput, locale: Locale) {
  await transaction(async (tx) => {
    await lockBuyer(tx, viewer.userId);
    const [line] = await tx.select().from(cartLines).where(isOwnLine(viewer, input.cart_id));
    if (!line) throw new ShopError("cart_line_unknown");
    const planId = input.vip_id ?? line.planId;
    const mergedQuantity = planId === line.planId ? 0 : await deleteLine(tx, viewer.userId, planId);
    const quantity = Math.min(MAX_QUANTITY, (input.quantity ?? line.quantity) + mergedQuantity);
    if (input.vip_id !== undefined || input.quantity !== undefined) {
      const plan = await findPlan(tx, viewer.userId, planId);
      if (!plan || plan.product_id !== line.productId) throw new ShopError("product_unknown");
      if (planId !== line.planId || quantity > line.quantity) assertSellable(plan, quantity);
    }
    await tx
      .update(cartLines)
      .set({ planId, quantity, selected: input.selected })
      .where(eq(cartLines.id, line.id));
  });
  return getCart(viewer, locale);
}

const isLineOf = (userId: string, planId: number) =>
  and(eq(cartLines.userId, userId), eq(cartLines.planId, planId));

const isOwnLine = ({ userId }: UserViewer, lineId: string) =>
  and(eq(cartLines.id, lineId), eq(cartLines.userId, userId));

/** Deletes a plan's line to merge it into another; returns its quantity. */
async function deleteLine(tx: Tx, userId: string, planId: number): Promise<number> {
  const [line] = await tx
    .delete(cartLines)
    .where(isLineOf(userId, planId))
    .returning({ quantity: cartLines.quantity });
  return line?.quantity ?? 0;
}

/** Removes a line; a missing line is no error. Returns the number of remaining lines. */
export async function removeFromCart(viewer: UserViewer, input: DeleteFromCartInput) {
  return transaction(async (tx) => {
    await tx.delete(cartLines).where(isOwnLine(viewer, input.cart_id));
    return { total: await countLines(tx, viewer.userId) };
  });
}

/** Serializes orders and cart changes of one buyer. */
export async function lockBuyer(tx: Tx, userId: string): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for("no key update");
}

async function findPlan(tx: Tx, userId: string, planId: number): Promise<PlanRow | undefined> {
  const [plan] = await tx.execute<PlanRow>(sql`
    select pl.id, pl.product_id, pl.price_cents, ${sql.raw(AVAILABILITY_NOW)} as availability, pl.purchase_limit,
      (select count(*)::int from (select 1 from keys k where k.plan_id = pl.id and ${sql.raw(SELLABLE_KEY)} limit ${MAX_QUANTITY}) s) as stock,
      (select count(*)::int from purchase_claims pc where pc.plan_id = pl.id and pc.user_id = ${userId}
        and ${sql.raw(COUNTED_CLAIM)}) as already_bought
    from plans pl join products p on p.id = pl.product_id
    where pl.id = ${planId} and pl.listed and p.listed`);
  return plan;
}

function assertSellable(plan: PlanRow, quantity: number): void {
  const state = stockState(plan);
  if (state === "sold_out") throw new ShopError("sold_out");
  const limit = plan.purchase_limit;
  const exceedsLimit = (units: number) => limit !== null && plan.already_bought + units > limit;
  // A limit that is used up is named before short stock, because more stock would not help.
  const isShort = state !== "pre_order" && plan.stock < quantity;
  if (isShort && !exceedsLimit(1)) throw new ShopError("stock_short", { params: { count: plan.stock } });
  if (limit !== null && exceedsLimit(quantity)) throw new ShopError("purchase_limit", { params: { limit } });
}

const countLines = (tx: Db, userId: string) => tx.$count(cartLines, eq(cartLines.userId, userId));
