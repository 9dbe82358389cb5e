import { endpoint } from "@/lib/platform/api/endpoint";
import { effects } from "@/lib/staff/preview/effects";
import { staff } from "@/lib/staff/rules";
import { closeShopByStaff } from "@/lib/staff/shop/close-shop-by-staff";
import { CloseShopInput, ShopState } from "@/lib/staff/shop/contract";

export const POST = endpoint(
  {
    summary: "Close the shop",
    description:
      "Writes are refused with `shop_closed`, pages show a notice, no jobs run. The staff console, signing in, reads and webhooks of the provider go on. A closed shop keeps its first reason.",
    access: staff("shop.manage", { reauthenticated: true }),
    body: CloseShopInput,
    previewable: effects,
    result: ShopState,
    errors: ["nothing_changes", "note_has_code"],
  },
  ({ viewer, body }) => closeShopByStaff(viewer, body),
);
