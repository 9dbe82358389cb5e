"use client";

import type { ComponentProps } from "react";
import { BuyAgain } from "@/components/cart/buy-again";
import type { GiftView } from "@/lib/orders/gifts/contract";
import { keepGiftForAgain } from "./gift-draft";

/** Buys one pass of a gift again. Its checkout knows the recipient as soon as the buyer says that it is a gift, too. */
export function BuyGiftAgain({
  gift,
  ...again
}: ComponentProps<typeof BuyAgain> & { gift: GiftView | null }) {
  const { vip_id } = again.plan;
  const keep = () => keepGiftForAgain({ gift, order_products: [{ vip_id }] }, false);
  return <BuyAgain {...again} onBuy={keep} />;
}
