"use client";

import { useState } from "react";
import { buyNow } from "@/components/cart/buy-now";
import { Button } from "@/components/ui/button";
import { useNavigate } from "@/components/ui/link";
import { showToast } from "@/components/ui/toast";
import { PRODUCT_UNKNOWN, SOLD_OUT } from "./error-codes";

export type BuyAgainLabels = {
  /** the button's text */
  buy: string;
  /** what the product page says about a pass that is no longer sold */
  gone: string;
  /** and about one that is sold out */
  soldOut: string;
  network: string;
};

/** `price`: what the pass cost the last time, where the page knows it. */
type BuyAgainProps = {
  plan: { vip_id: number; slug: string; price?: number | null };
  name: string;
  labels: BuyAgainLabels;
  /** before the order is placed */
  onBuy?: () => void;
};

/**
 * Buys the same pass again: places an order of this one pass and goes on to its checkout. Without that pass it opens
 * the product page and says why.
 */
export function BuyAgain({ plan, name, labels, onBuy }: BuyAgainProps) {
  const navigate = useNavigate();
  const [pending, setPending] = useState(false);
  async function buy() {
    setPending(true);
    onBuy?.();
    const result = await buyNow(plan.vip_id, plan.price ?? null, labels.network);
    if (result.ok) return navigate(`/checkout?order_id=${result.data.order_id}`);
    setPending(false);
    if (result.code === PRODUCT_UNKNOWN) navigate(`/product/${plan.slug}`);
    if (result.code === SOLD_OUT) navigate(`/product/${plan.slug}?plan=${plan.vip_id}`);
    const words: Record<string, string> = { [PRODUCT_UNKNOWN]: labels.gone, [SOLD_OUT]: labels.soldOut };
    showToast(words[result.code] ?? result.message, "bad");
  }
  return (
    <Button look="quiet" pending={pending} onClick={buy}>
      {labels.buy}
      <span className="sr-only"> {name}</span>
    </Button>
  );
}
