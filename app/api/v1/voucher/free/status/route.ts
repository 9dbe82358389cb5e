import { FreeVouchers } from "@/lib/coupons/contract";
import { getFreeVouchers } from "@/lib/coupons/get-free-vouchers";
import { endpoint } from "@/lib/platform/api/endpoint";

export const GET = endpoint(
  {
    summary: "The free vouchers, as the viewer may have them now",
    access: "public",
    result: FreeVouchers,
    errors: [],
  },
  ({ viewer, locale }) => getFreeVouchers(viewer, locale),
);
