import { eq } from "drizzle-orm";
import type { Db } from "@/db/client";
import { campaigns, coupons } from "@/db/schema/coupons";
import { findCampaign } from "@/lib/coupons/campaigns/find-campaign";
import type { UserViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import { issuedCouponsSql, promotionIssueKey } from "./issue-key";
import { selectCoupons } from "./select-coupons";

/**
 * What a code refers to: a coupon, or a campaign of which the viewer has no coupon yet; `lock` as in `selectCoupons`.
 * @throws ShopError coupon_unknown
 */
export async function findCoupon(tx: Db, viewer: UserViewer, code: string, options?: { lock: boolean }) {
  const [coupon] = await selectCoupons(tx, eq(coupons.code, code), options);
  if (coupon) return { coupon };
  const campaign = await findCampaign(tx, eq(campaigns.code, code));
  if (!campaign) throw new ShopError("coupon_unknown");
  const issued = issuedCouponsSql(viewer.userId, promotionIssueKey(campaign.id, viewer.email));
  const [viewersCoupon] = await selectCoupons(tx, issued, options);
  return viewersCoupon ? { coupon: viewersCoupon } : { campaign };
}
