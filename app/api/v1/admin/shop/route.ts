import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";
import { ShopState } from "@/lib/staff/shop/contract";
import { getShopState } from "@/lib/staff/shop/get-shop-state";

export const GET = endpoint(
  {
    summary: "Whether the shop is open",
    description: "While it is closed: since when, why and by whom.",
    access: staff("shop.manage"),
    result: ShopState,
    errors: [],
  },
  () => getShopState(),
);
