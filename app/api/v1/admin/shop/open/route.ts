import { endpoint } from "@/lib/platform/api/endpoint";
import { effects } from "@/lib/staff/preview/effects";
import { staff } from "@/lib/staff/rules";
import { openShopByStaff } from "@/lib/staff/shop/close-shop-by-staff";
import { ShopState } from "@/lib/staff/shop/contract";

export const POST = endpoint(
  {
    summary: "Open the shop again",
    description: "Jobs and emails that waited go on.",
    access: staff("shop.manage", { reauthenticated: true }),
    previewable: effects,
    result: ShopState,
    errors: ["nothing_changes"],
  },
  ({ viewer }) => openShopByStaff(viewer),
);
