import type { OrderProduct } from "@/lib/orders/contract";
import { api } from "@/lib/platform/api/client";

export type AddAgainResult = {
  line: OrderProduct;
  /** units that are in the cart again; fewer than the line has where fewer can be had */
  added: number;
  /** why not all of them, in the server's words */
  problem: string | null;
};

/** Puts the passes of an order's line into the cart again, or as many of them as can be had now. */
export async function addAgain(line: OrderProduct, networkMessage: string): Promise<AddAgainResult> {
  const { product_id, vip_id, quantity } = line;
  const options = { networkMessage };
  const all = await api.post("/cart/add", { product_id, vip_id, quantity }, options);
  if (all.ok) return { line, added: quantity, problem: null };
  const none = { line, added: 0, problem: all.message };
  if (quantity === 1 || all.code === "") return none;
  // The cart says how many of one that is in it can be had.
  const one = await api.post("/cart/add", { product_id, vip_id, quantity: 1 }, options);
  if (!one.ok) return none;
  const { cart_id, quantity: have } = one.data;
  const fewer = { line, added: 1, problem: all.message };
  const cart = await api.get("/cart/list", {}, options);
  const item = cart.ok && cart.data.cart_items.find((each) => each.cart_id === cart_id);
  if (!item || item.max_quantity <= have) return fewer;
  const most = Math.min(item.max_quantity, have - 1 + quantity);
  const changed = await api.post("/cart/update", { cart_id, quantity: most }, options);
  return changed.ok ? { ...fewer, added: most - have + 1 } : fewer;
}
