import { ConsoleCoupon, FindCouponInput } from "@/lib/coupons/console/contract";
import { getConsoleCoupon } from "@/lib/coupons/console/get-console-coupon";
import { endpoint } from "@/lib/platform/api/endpoint";
import { LIST_PERMISSIONS, staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "A coupon by its code",
    access: staff(LIST_PERMISSIONS.coupons),
    query: FindCouponInput,
    result: ConsoleCoupon,
    errors: ["coupon_unknown"],
  },
  ({ query, locale }) => getConsoleCoupon(query.coupon_code, locale),
);
