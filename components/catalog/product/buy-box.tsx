"use client";

import { AddToCart, type AddToCartLabels } from "@/components/cart/add-to-cart";
import { NotifyMe, type NotifyMeLabels } from "@/components/notifications/notify-me";
import { Price } from "@/components/ui/price";
import { usePlan } from "./plan-choice";
import type { ShareLabels } from "./share-link";

export type BuyLabels = AddToCartLabels & NotifyMeLabels & ShareLabels;

type BuyButtonProps = { productId: number; slug: string; labels: BuyLabels; brief?: boolean };

/** The buy button for the selected plan. */
export function BuyButton({ productId, slug, labels, brief }: BuyButtonProps) {
  const { chosen } = usePlan();
  if (chosen.action.soldOut)
    return <NotifyMe key={chosen.vipId} vipId={chosen.vipId} slug={slug} labels={labels} />;
  return (
    <AddToCart
      key={chosen.vipId}
      plan={{ productId, slug, vipId: chosen.vipId, free: chosen.free }}
      label={chosen.action.label}
      labels={labels}
      brief={brief}
    />
  );
}

/** Name and price of the selected plan. */
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
