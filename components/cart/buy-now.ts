import type { OrderPlaced } from "@/lib/orders/contract";
import { type ApiResult, api } from "@/lib/platform/api/client";
import { readAttribution } from "@/lib/platform/routing/attribution";
import { removeStoredCoupon } from "@/lib/platform/routing/stored-attribution";

/** Response codes about the coupon of a link (docs/product.md#91-codes). 409 also means sold out. */
const COUPON_REFUSALS = ["40301", "40313", "40403", "409", "41001", "42202", "42203", "42204", "42501"];

/**
 * Places an order of one unit of a plan and leaves the cart as it is. The coupon of a link that led here is used where it
 * applies.
 */
export async function buyNow(vip_id: number, networkMessage: string): Promise<ApiResult<OrderPlaced>> {
  const coupon_code = readAttribution()?.coupon;
  if (coupon_code) {
    const result = await api.post("/order/create", { vip_id, coupon_code }, { networkMessage });
    if (result.ok) removeStoredCoupon();
    if (result.ok || !COUPON_REFUSALS.includes(result.code)) return result;
  }
  return api.post("/order/create", { vip_id }, { networkMessage });
}
