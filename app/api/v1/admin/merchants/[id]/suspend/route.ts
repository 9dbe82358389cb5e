import { changeStateByStaff } from "@/lib/merchants/console/change-state-by-staff";
import {
  MerchantParams,
  MerchantReasonInput,
  MerchantState,
} from "@/lib/merchants/console/contract-merchants";
import { endpoint } from "@/lib/platform/api/endpoint";
import { effects } from "@/lib/staff/preview/effects";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Suspend a merchant",
    description:
      "Its products are off the shop until staff resume it; paid orders are still served. The owners receive the reason by email.",
    access: staff("merchants.decide", { reauthenticated: true }),
    params: MerchantParams,
    body: MerchantReasonInput,
    previewable: effects,
    result: MerchantState,
    errors: ["merchant_unknown", "revision_conflict", "merchant_state", "note_has_code"],
  },
  ({ viewer, params, body }) => changeStateByStaff(viewer, params.id, { ...body, change: "suspend" }),
);
