"use client";

import { usePlan } from "@/components/catalog/product/plan-choice";
import { AddToCart } from "./add-to-cart";
import { NotifyMe } from "./notify-me";
import type { PlanLabels } from "./use-plan-action";

type BuyProduct = { id: number; slug: string; name: string; image: string; lang?: string };
type BuyButtonProps = { product: BuyProduct; labels: PlanLabels; brief?: boolean };

/** Buys the plan that is chosen on the product page. */
export function BuyButton({ product, labels, brief }: BuyButtonProps) {
  const { chosen } = usePlan();
  const { id: productId, slug, name, image, lang } = product;
  const { vipId, hero, heroLabel, price } = chosen;
  const pass = { name, lang, image, detail: chosen.name, hero, heroLabel, price };
  const plan = { productId, slug, vipId, free: chosen.free, cents: chosen.cents, pass };
  if (chosen.action.soldOut) return <NotifyMe key={vipId} plan={plan} labels={labels} />;
  return <AddToCart key={vipId} plan={plan} label={chosen.action.label} labels={labels} brief={brief} />;
}
