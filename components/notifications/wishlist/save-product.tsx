"use client";

import { type ReactNode, useState } from "react";
import { type HeartProps, useHeart } from "./use-heart";

/** The wishlist's button of the product page. `icon` is shown until the page is used. */
export function SaveProduct({ icon, ...product }: HeartProps & { icon: ReactNode }) {
  const { Heart, load } = useHeart();
  const [press, setPress] = useState(false);
  if (Heart) return <Heart {...product} wide press={press} />;
  return (
    <button
      type="button"
      className="button button-quiet"
      // A first use that is this press must not replace the button before its click.
      onPointerDown={(event) => event.stopPropagation()}
      onClick={() => {
        setPress(true);
        void load();
      }}
    >
      {icon}
      {product.labels.save}
    </button>
  );
}
