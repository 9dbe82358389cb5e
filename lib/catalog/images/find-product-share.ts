import { findProductPage } from "@/lib/catalog/product/find-product-page";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { ShareCard } from "@/lib/platform/images/share-image";
import { ticketUnits } from "@/lib/platform/ticket";
import { getProductImage } from "./render-image";

const PICTURE_WIDTH = 960;

/** The data of a product's share image: name, tagline and picture; `price` in USD of its cheapest pass. */
export async function findProductShare(
  slug: string,
  locale: Locale,
): Promise<(Omit<ShareCard, "brand"> & { price: number }) | null> {
  const product = await findProductPage({ slug, locale });
  if (!product) return null;
  const { bytes } = await getProductImage(product.product_id, { width: PICTURE_WIDTH, format: "png" });
  return {
    title: product.product_name,
    line: product.product_tagline,
    price: product.price,
    units: ticketUnits(product.duration_days),
    picture: bytes,
  };
}
