import type { OrderProduct } from "@/lib/orders/contract";
import { api } from "@/lib/platform/api/client";

export type AddAgainResult = {
  line: OrderProduct;
  /** the number of units added to the cart, limited by availability */
  added: number;
  /** the server's message when not all units were added */
  problem: string | null;
};

/** Adds the passes of an order line to the cart again, as many as are available. */
export async function addAgain(line: OrderProduct, networkMessage: string): Promise<AddAgainResult> {
  const { product_id, vip_id, quantity } = line;
  const options = { networkMessage };
  const all = await api.post("/cart/add", { product_id, vip_id, quantity }, options);
  if (all.ok) return { line, added: quantity, problem: null };
  const none = { line, added: 0, problem: all.message };
  if (quantity === 1 || all.code === "") return none;
  // For a pass that is already in the cart, the cart reports how many are available.
  const single = await api.post("/cart/add", { product_id, vip_id, quantity: 1 }, options);
  if (!single.ok) return none;
  const { cart_id, quantity: inCart } = single.data;
  const fewer = { line, added: 1, problem: all.message };
  const cart = await api.get("/cart/list", {}, options);
  const item = cart.ok && cart.data.cart_items.find((cartItem) => cartItem.cart_id === cart_id);
  if (!item || item.max_quantity <= inCart) return fewer;
  const target = Math.min(item.max_quantity, inCart - 1 + quantity);
  const changed = await api.post("/cart/update", { cart_id, quantity: target }, options);
  return changed.ok ? { ...fewer, added: target - inCart + 1 } : fewer;
}
