import { endpoint } from "@/lib/platform/api/endpoint";
import { Preview, previewable } from "@/lib/staff/preview/contract";
import { runOrPreview } from "@/lib/staff/preview/run-or-preview";
import { staff } from "@/lib/staff/rules";
import { closeShopByStaff } from "@/lib/staff/shop/close-shop-by-staff";
import { CloseShopInput, ShopState } from "@/lib/staff/shop/contract";

export const POST = endpoint(
  {
    summary: "Close the shop",
    description:
      "Writes are refused with `shop_closed`, pages show a notice, no jobs run. The staff console, signing in, reads and webhooks of the provider go on. A closed shop keeps its first reason.",
    access: staff("shop.manage", { reauthenticated: true }),
    body: CloseShopInput.extend({ preview: Preview }),
    result: previewable(ShopState),
    errors: ["nothing_changes", "note_has_code"],
  },
  ({ viewer, body: { preview, ...input } }) => runOrPreview(preview, () => closeShopByStaff(viewer, input)),
);
