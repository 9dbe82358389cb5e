"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { usePassLabels } from "@/components/catalog/use-pass-labels";
import { keepGiftForAgain } from "@/components/orders/gifts/gift-draft";
import { announceCartChange } from "@/components/shell/session-summary";
import { Button } from "@/components/ui/button";
import { useNavigate } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import type { OrderProduct, OrderView } from "@/lib/orders/contract";
import { api } from "@/lib/platform/api/client";

/** Adds the available passes of a closed order to the cart again and lists the unavailable ones. A gift is one again. */
export function OrderAgain({ order }: { order: Pick<OrderView, "order_products" | "gift"> }) {
  const t = useTranslations("payments.unpaid");
  const network = useTranslations("errors")("network");
  const pass = usePassLabels();
  const navigate = useNavigate();
  const [pending, setPending] = useState(false);
  const [done, setDone] = useState<AddAgainResult[] | null>(null);

  async function add() {
    setPending(true);
    keepGiftForAgain(order, true);
    const lines: AddAgainResult[] = [];
    // Lines are added one after another to keep the order's sequence.
    for (const line of order.order_products) lines.push(await addAgain(line, network));
    announceCartChange();
    if (lines.every(({ problem }) => problem === null)) return navigate("/cart");
    setPending(false);
    setDone(lines);
  }

  if (done === null)
    return (
      <Button look="primary" pending={pending} onClick={add}>
        {t("again")}
      </Button>
    );
  // When nothing was added, a retry is offered.
  const none = done.every(({ added }) => added === 0);
  return (
    <Notice
      kind="warn"
      live
      className="w-full"
      title={t(none ? "again_none" : "again_part")}
      action={
        <Button pending={pending} onClick={none ? add : () => navigate("/cart")}>
          {t(none ? "again" : "cart")}
        </Button>
      }
    >
      <ul>
        {done.map(({ line, added, problem }) => {
          if (problem === null) return null;
          const name = `${line.product_name} · ${pass.name(line)}`;
          return (
            <li key={line.order_product_id}>
              {added === 0
                ? t("again_not", { name, problem })
                : t("again_fewer", { name, added, count: line.quantity })}
            </li>
          );
        })}
      </ul>
    </Notice>
  );
}

type AddAgainResult = {
  line: OrderProduct;
  /** the number of units added to the cart, limited by availability */
  added: number;
  /** the server's message when not all units were added */
  problem: string | null;
};

/** Adds the passes of an order line to the cart again, as many as are available. */
async function addAgain(line: OrderProduct, networkMessage: string): Promise<AddAgainResult> {
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
