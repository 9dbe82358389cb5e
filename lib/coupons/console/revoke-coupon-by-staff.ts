import { db } from "@/db/client";
import { revokeCoupon } from "@/lib/coupons/revoke-coupon";
import { requireNoCode } from "@/lib/delivery/code-text/find-codes";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { countAction } from "@/lib/platform/console/action-limits";
import { ShopError } from "@/lib/platform/errors";

/** Makes an unused coupon worthless. @throws ShopError coupon_unknown, coupon_in_use, coupon_revoked, note_has_code */
export async function revokeCouponByStaff(viewer: StaffViewer, code: string, reason: string) {
  await requireNoCode(db, reason);
  await countAction(viewer, "coupon.revoke");
  const outcome = await revokeCoupon(code, reason, viewer.userId);
  if (outcome === null) throw new ShopError("coupon_unknown");
  if (outcome === "in_use") throw new ShopError("coupon_in_use");
  if (outcome === "already") throw new ShopError("coupon_revoked");
  return { coupon_code: code };
}
