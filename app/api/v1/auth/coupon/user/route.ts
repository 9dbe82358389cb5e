import { CouponList, ListCouponsInput } from "@/lib/coupons/contract";
import { listCoupons } from "@/lib/coupons/list-coupons";
import { endpoint } from "@/lib/platform/api/endpoint";

export const GET = endpoint(
  {
    summary: "The viewer's coupons and vouchers, newest first",
    access: "user",
    query: ListCouponsInput,
    result: CouponList,
    errors: [],
  },
  ({ viewer, locale }) => listCoupons(viewer, locale),
);
