import { endpoint } from "@/lib/platform/api/endpoint";
import { PreviewInput, previewable } from "@/lib/staff/preview/contract";
import { runOrPreview } from "@/lib/staff/preview/run-or-preview";
import { staff } from "@/lib/staff/rules";
import { openShopByStaff } from "@/lib/staff/shop/close-shop-by-staff";
import { ShopState } from "@/lib/staff/shop/contract";

export const POST = endpoint(
  {
    summary: "Open the shop again",
    description: "Jobs and emails that waited go on.",
    access: staff("shop.manage", { reauthenticated: true }),
    body: PreviewInput,
    result: previewable(ShopState),
    errors: ["nothing_changes"],
  },
  ({ viewer, body: { preview } }) => runOrPreview(preview, () => openShopByStaff(viewer)),
);
