import type { ProductDetail, ProductItem } from "@/lib/catalog/contract";
import { listRelatedProducts } from "@/lib/catalog/listing/list-products";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { ReviewList } from "@/lib/reviews/contract";
import { listReviews } from "@/lib/reviews/list-reviews";
import { REVIEWS_SHOWN } from "@/lib/reviews/rules";
import { findProductPage, type ProductRef } from "./find-product-page";

export type ProductView = { product: ProductDetail; reviews: ReviewList; related: ProductItem[] };

/** The data of a product's page; null when there is no such product. */
export async function findProductView(input: ProductRef & { locale: Locale }): Promise<ProductView | null> {
  const product = await findProductPage(input);
  if (!product) return null;
  const [reviews, related] = await Promise.all([
    listReviews({ product_id: product.product_id, page: 1, size: REVIEWS_SHOWN }),
    listRelatedProducts(product, input.locale),
  ]);
  return { product, reviews, related: related.items };
}
