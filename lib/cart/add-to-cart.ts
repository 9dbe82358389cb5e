import { sql } from "drizzle-orm";
import { db, transaction } from "@/db/client";
import { cartLines } from "@/db/schema/cart";
import { AVAILABILITY_NOW, MAX_QUANTITY, SELLABLE_KEY } from "@/lib/catalog/rules";
import type { UserViewer } from "@/lib/platform/auth/session";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";
import type { AddToCartInput, AutoAddToCartInput, CartAdded } from "./contract";
import { assertSellable, findPlan } from "./find-plan";
import { lockBuyer } from "./lock-buyer";
import { MAX_CART_LINES } from "./rules";
import { countLines, isLineOf } from "./update-cart";

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
