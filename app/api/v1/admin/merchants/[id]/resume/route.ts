import { changeStateByStaff } from "@/lib/merchants/console/change-state-by-staff";
import {
  MerchantParams,
  MerchantState,
  MerchantStateInput,
} from "@/lib/merchants/console/contract-merchants";
import { endpoint } from "@/lib/platform/api/endpoint";
import { effects } from "@/lib/staff/preview/effects";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Resume a paused or suspended merchant",
    description: "Its products are in the shop again. The owners are notified by email.",
    access: staff("merchants.decide", { reauthenticated: true }),
    params: MerchantParams,
    body: MerchantStateInput,
    previewable: effects,
    result: MerchantState,
    errors: ["merchant_unknown", "revision_conflict", "merchant_state", "note_has_code"],
  },
  ({ viewer, params, body }) => changeStateByStaff(viewer, params.id, { ...body, change: "resume" }),
);
