import { type ComponentType, useEffect, useState } from "react";
import { atFirstUse } from "@/components/ui/when-idle";
import type { WishLabels } from "./wish-labels";

export type HeartProps = {
  productId: number;
  name: string;
  labels: WishLabels;
  wide?: boolean;
  /** saves the product immediately: this was loaded by a press */
  press?: boolean;
};

/** The wishlist's button, loaded when the page is first used, so that public pages do not carry it. */
export function useHeart() {
  const [Heart, setHeart] = useState<ComponentType<HeartProps>>();
  const load = () =>
    import("./heart").then(
      (loaded) => setHeart(() => loaded.Heart),
      () => {}, // The page does without.
    );
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => atFirstUse(load), []);
  return { Heart, load };
}
