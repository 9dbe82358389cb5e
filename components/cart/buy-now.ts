import type { OrderPlaced } from "@/lib/orders/contract";
import { type ApiResult, api } from "@/lib/platform/api/client";
import { readAttribution } from "@/lib/platform/routing/attribution";
import { removeStoredCoupon } from "@/lib/platform/routing/stored-attribution";
import { TOTAL_CHANGED } from "./error-codes";

/** Response codes about the coupon of a link (docs/product.md#91-codes). 409 also means sold out. */
const COUPON_REFUSALS = ["40301", "40313", "40403", "409", "41001", "42202", "42203", "42204", "42501"];

/** Totals that a refusal has named on this page: the next press of the same button agrees to them. */
const namedTotals = new Map<number, number>();

/**
 * Places an order of one unit of a plan and leaves the cart as it is. `price`: what the page shows; null when it shows none. An
 * order that costs more is refused once, and the refusal names the total. The coupon of a link that led here is used where it
 * applies, else the account's best one.
 */
export async function buyNow(
  vip_id: number,
  price: number | null,
  networkMessage: string,
): Promise<ApiResult<OrderPlaced>> {
  const expected = namedTotals.get(vip_id) ?? price ?? undefined;
  const coupon_code = readAttribution()?.coupon;
  if (coupon_code) {
    const result = await order({ vip_id, coupon_code }, expected, networkMessage);
    if (result.ok) removeStoredCoupon();
    if (result.ok || !COUPON_REFUSALS.includes(result.code)) return result;
  }
  return order({ vip_id }, expected, networkMessage);
}

async function order(
  body: { vip_id: number; coupon_code?: string },
  expected: number | undefined,
  networkMessage: string,
): Promise<ApiResult<OrderPlaced>> {
  const place = (expected_total: number | undefined) =>
    api.post("/order/create", { ...body, use_best_coupon: true, expected_total }, { networkMessage });
  const result = await place(expected);
  const total = namedTotal(result);
  if (total === undefined) return result;
  // A lower total than the page shows, for example with the coupon, needs no confirmation.
  if (expected !== undefined && total < expected) return place(total);
  namedTotals.set(body.vip_id, total);
  return result;
}

/** The total that a refusal names (errors[].actual). */
export const namedTotal = (result: ApiResult<unknown>): number | undefined =>
  result.ok || result.code !== TOTAL_CHANGED
    ? undefined
    : result.errors.find(({ path }) => path === "expected_total")?.actual;
