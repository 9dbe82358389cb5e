import { eq } from "drizzle-orm";
import { preparedDb } from "@/db/client";
import { plans } from "@/db/schema/catalog";
import type { RefundSheet } from "@/lib/payments/refunds/contract";
import { toRefundSheet } from "@/lib/payments/refunds/refund-sheet";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { getProductPage } from "./find-product-page";

/**
 * The refund of a plan on sale, by condition (`GET /product/refund`, docs/product.md#81-refunds). Pages load
 * it when the sentence is pressed, so that none carries it.
 * @throws ShopError product_unknown
 */
export async function getRefundSheet(planId: number, locale: Locale): Promise<RefundSheet> {
  const [plan] = await preparedDb
    .select({ productId: plans.productId })
    .from(plans)
    .where(eq(plans.id, planId))
    .limit(1);
  if (!plan) throw new ShopError("product_unknown");
  const product = await getProductPage({ id: plan.productId, locale });
  const option = product.vip_options.find(({ vip_id }) => vip_id === planId);
  if (!option) throw new ShopError("product_unknown");
  return toRefundSheet(option.refund, locale);
}
