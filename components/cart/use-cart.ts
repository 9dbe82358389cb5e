"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { announceCartChange } from "@/components/shell/session-summary";
import { showToast } from "@/components/ui/toast";
import type { CartItem, CartView } from "@/lib/cart/contract";
import { api } from "@/lib/platform/api/client";

export type LineChange = { quantity?: number; selected?: boolean; vip_id?: number };
/** The server's refusals by line. The key "" is for the whole cart. */
export type CartErrors = Record<string, string>;

type Write = { cartId: string; change: LineChange | "remove" };

/**
 * The client-side cart. It shows each change immediately and sends changes one after another. A later change of an
 * unsent line is merged into the earlier one. The server's response replaces the state once nothing is left to send.
 */
export function useCart(initial: CartView, networkMessage: string) {
  const [cart, setCart] = useState(initial);
  const [problems, setProblems] = useState<CartErrors>({});
  const queue = useRef<Write[]>([]);
  const running = useRef<Promise<boolean>>(null);

  useEffect(() => setCart(initial), [initial]);

  const send = useCallback(async (): Promise<boolean> => {
    let latest: CartView | null = null;
    const refused = new Map<string, string>();
    while (queue.current.length > 0) {
      for (let write = queue.current.shift(); write; write = queue.current.shift()) {
        const { cartId, change } = write;
        const { cart: updated, problem } = await sendWrite(write, networkMessage);
        if (problem !== undefined) setProblems((previous) => ({ ...previous, [cartId]: problem }));
        if (problem !== undefined) refused.set(cartId, problem);
        if (updated) latest = updated;
        else if (latest && change === "remove") latest = withChange(latest, cartId, change);
      }
      // After a refusal the shown state may be wrong, so the whole cart is reloaded. Changes made meanwhile are sent
      // first.
      if (refused.size > 0) latest = (await readCart()) ?? latest;
    }
    const allAccepted = refused.size === 0;
    running.current = null;
    if (latest) setCart(latest);
    if (latest && !allAccepted) announceCartChange(latest.total);
    // A refusal cannot be shown on a line that another window has removed.
    for (const [cartId, problem] of refused)
      if (latest && !latest.cart_items.some((item) => item.cart_id === cartId)) showToast(problem, "bad");
    return allAccepted;
  }, [networkMessage]);

  // Reloads changes made in other windows. Unsent changes of this window are sent first.
  useEffect(() => {
    const refresh = async () => {
      const reloaded = running.current ? null : await readCart();
      if (reloaded && !running.current) setCart(reloaded);
    };
    addEventListener("focus", refresh);
    return () => removeEventListener("focus", refresh);
  }, []);

  const change = useCallback(
    (cartId: string, lineChange: LineChange | "remove") => {
      setProblems(({ [cartId]: _, "": __, ...others }) => others);
      setCart((previous) => withChange(previous, cartId, lineChange));
      enqueue(queue.current, { cartId, change: lineChange });
      running.current ??= send();
    },
    [send],
  );

  /** Restores a removed line with its quantity and selection, as far as it is available. */
  const restore = useCallback(
    async (item: CartItem) => {
      await running.current; // The removal may still be pending.
      const { problem, cart: updated } = await addBack(item, networkMessage);
      if (problem !== undefined) setProblems((previous) => ({ ...previous, "": problem }));
      if (!updated || running.current) return;
      setCart(updated);
      announceCartChange(updated.total);
    },
    [networkMessage],
  );

  return {
    cart,
    problems,
    change,
    restore,
    /** Resolves once everything is sent, with false when the server refused something. */
    whenSettled: useCallback(async () => running.current ?? true, []),
    showProblem: useCallback(
      (problem: string) => setProblems((previous) => ({ ...previous, "": problem })),
      [],
    ),
  };
}

function enqueue(queue: Write[], { cartId, change }: Write): void {
  const last = queue.findLast((write) => write.cartId === cartId);
  if (last && last.change !== "remove" && change !== "remove") Object.assign(last.change, change);
  else queue.push({ cartId, change: change === "remove" ? change : { ...change } });
}

async function sendWrite({ cartId, change }: Write, networkMessage: string) {
  if (change === "remove") {
    const result = await api.post("/cart/delete", { cart_id: cartId }, { networkMessage });
    if (!result.ok) return { problem: result.message };
    announceCartChange(result.data.total);
    return {};
  }
  const body = { cart_id: cartId, ...change };
  const result = await api.post("/cart/update", body, { networkMessage });
  return result.ok ? { cart: result.data } : { problem: result.message };
}

async function addBack(item: CartItem, networkMessage: string) {
  const { product_id, vip_id, quantity, selected } = item;
  const options = { networkMessage };
  const added = await api.post("/cart/add", { product_id, vip_id, quantity }, options);
  if (!added.ok) return { problem: added.message };
  const { cart_id } = added.data;
  const result = await api.post("/cart/update", { cart_id, selected }, options);
  return result.ok ? { cart: result.data } : { problem: result.message };
}

async function readCart(): Promise<CartView | null> {
  const result = await api.get("/cart/list");
  return result.ok ? result.data : null;
}

/** The expected cart after a change. Amounts are calculated in whole cents. */
function withChange(cart: CartView, cartId: string, change: LineChange | "remove"): CartView {
  const cart_items =
    change === "remove"
      ? cart.cart_items.filter((item) => item.cart_id !== cartId)
      : cart.cart_items.map((item) => (item.cart_id === cartId ? withLineChange(item, change) : item));
  return { ...cart, cart_items, total: cart_items.length };
}

function withLineChange(item: CartItem, { quantity = item.quantity, selected }: LineChange): CartItem {
  return {
    ...item,
    quantity,
    selected: selected ?? item.selected,
    line_total: Math.round(item.price * 100 * quantity) / 100,
  };
}
