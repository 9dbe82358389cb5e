"use client";

import { AddToCart, type AddToCartWords } from "@/components/cart/add-to-cart";
import { NotifyMe, type NotifyMeWords } from "@/components/notifications/notify-me";
import { Price } from "@/components/ui/price";
import { usePlan } from "./plan-choice";
import type { ShareWords } from "./share-link";

export type BuyWords = AddToCartWords & NotifyMeWords & ShareWords;

type Bought = { productId: number; slug: string; words: BuyWords; brief?: boolean };

/** The button for the chosen plan. */
export function BuyButton({ productId, slug, words, brief }: Bought) {
  const { chosen } = usePlan();
  if (chosen.action.soldOut)
    return <NotifyMe key={chosen.vipId} vipId={chosen.vipId} slug={slug} words={words} />;
  return (
    <AddToCart
      key={chosen.vipId}
      wanted={{ productId, slug, vipId: chosen.vipId, free: chosen.free }}
      label={chosen.action.label}
      words={words}
      brief={brief}
    />
  );
}

/** Name and price of the chosen plan. */
export function ChosenPrice() {
  const { chosen } = usePlan();
  return (
    <div>
      <p className="text-13 text-quiet">{chosen.name}</p>
      <p className="text-21 leading-tight">
        <Price {...chosen.price} />
      </p>
      {chosen.perDay && <p className="figures text-13 text-quiet">{chosen.perDay}</p>}
    </div>
  );
}
