"use client";

import { AddToCart, type AddToCartWords } from "@/components/cart/add-to-cart";
import { NotifyMe, type NotifyMeWords } from "@/components/notifications/notify-me";
import { CopyButton } from "@/components/ui/copy-button";
import { Price } from "@/components/ui/price";
import { announceShare } from "@/components/ui/share-event";
import { useSurface } from "@/components/ui/surface";
import { localizedPath } from "@/lib/navigation";
import { usePlan } from "./plan-choice";

export type BuyWords = AddToCartWords & NotifyMeWords & { copy: string; copied: string; failed: string };

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

/** Copies the address of the page, always the desktop one, with the plan unless it is the `usual` one. */
export function ShareLink({ slug, usual, words }: Pick<Bought, "slug" | "words"> & { usual: number }) {
  const { chosen } = usePlan();
  const { locale } = useSurface();
  const path = `/product/${slug}${chosen.vipId === usual ? "" : `?plan=${chosen.vipId}`}`;
  const address = async () => location.origin + localizedPath(path, { locale, surface: "desktop" });
  return <CopyButton text={address} look="quiet" words={words} onCopied={announceShare} />;
}
