import { and, eq } from "drizzle-orm";
import type { Db } from "@/db/client";
import { coupons } from "@/db/schema/coupons";
import { shopNow } from "@/lib/coupons/campaigns/find-campaign";
import { addressGroupHash, findRelatedMerchants } from "@/lib/platform/auth/merchant-people";
import type { UserViewer } from "@/lib/platform/auth/session";
import { findMerchantsOf } from "./check-coupon";
import { findEarlierOrder } from "./find-earlier-order";
import { bestCoupon } from "./rules-discount";
import { selectCoupons } from "./select-coupons";

/**
 * The viewer's own coupon that takes most off an order of this subtotal, in cents (docs/product.md#85-coupons); null: none
 * applies, or one would make the order of an unverified address free.
 */
export async function findBestCoupon(
  tx: Db,
  viewer: UserViewer,
  subtotalCents: number,
  { productIds, ip }: { productIds: readonly number[]; ip: string | undefined },
): Promise<{ code: string } | null> {
  const own = await selectCoupons(tx, and(eq(coupons.userId, viewer.userId), eq(coupons.state, "open")));
  if (own.length === 0) return null;
  const merchants = await findMerchantsOf(tx, productIds);
  if ((await findRelatedMerchants(tx, viewer, merchants, addressGroupHash(ip))).length > 0) return null;
  const earlierOrder = await findEarlierOrder(tx, viewer.userId);
  const order = { subtotalCents, earlierOrder, mayBeFree: viewer.emailVerified };
  return bestCoupon(own, order, { userId: viewer.userId, now: await shopNow(tx) });
}
