import { and, eq } from "drizzle-orm";
import { type Db, type Tx, transaction } from "@/db/client";
import { cartLines } from "@/db/schema/cart";
import { MAX_QUANTITY } from "@/lib/catalog/rules";
import type { UserViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { DeleteFromCartInput, UpdateCartInput } from "./contract";
import { assertSellable, findPlan } from "./find-plan";
import { getCart } from "./get-cart";
import { lockBuyer } from "./lock-buyer";

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

export const isLineOf = (userId: string, planId: number) =>
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

/** Removes a line; a missing line is not an error. Returns the number of remaining lines. */
export async function removeFromCart(viewer: UserViewer, input: DeleteFromCartInput) {
  return transaction(async (tx) => {
    await tx.delete(cartLines).where(isOwnLine(viewer, input.cart_id));
    return { total: await countLines(tx, viewer.userId) };
  });
}

export const countLines = (tx: Db, userId: string) => tx.$count(cartLines, eq(cartLines.userId, userId));
