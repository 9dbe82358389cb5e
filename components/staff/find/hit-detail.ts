import { useTranslations } from "next-intl";
import { COUPON_STATES } from "@/lib/coupons/rules";
import { KEY_STATES } from "@/lib/delivery/rules";
import { ORDER_STATUSES } from "@/lib/orders/rules";
import type { FindHit } from "@/lib/staff/find/contract";

const memberOf = <Value extends string>(values: readonly Value[], text: string | null) =>
  values.find((value) => value === text);

/** The detail of a hit besides its title: states by the names of the record's page, other details as they are. */
export function useHitDetail(): (hit: Pick<FindHit, "kind" | "detail">) => string | null {
  const statusName = useTranslations("console.order_status");
  const keyState = useTranslations("console.order.key_state");
  const couponState = useTranslations("console.customer.coupon_state");
  return ({ kind, detail }) => {
    const status = kind === "order" || kind === "payment" ? memberOf(ORDER_STATUSES, detail) : undefined;
    if (status) return statusName(status);
    const key = kind === "key" ? memberOf(KEY_STATES, detail) : undefined;
    if (key) return keyState(key);
    const coupon = kind === "coupon" ? memberOf(COUPON_STATES, detail) : undefined;
    return coupon ? couponState(coupon) : detail;
  };
}
