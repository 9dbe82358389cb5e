import { MerchantParams } from "@/lib/merchants/console/contract-merchants";
import { ApproveNameInput, NameDecided } from "@/lib/merchants/names/contract";
import { approveName } from "@/lib/merchants/names/decide-name";
import { endpoint } from "@/lib/platform/api/endpoint";
import { effects } from "@/lib/staff/preview/effects";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Approve the name that a merchant requests",
    description:
      "Pages and emails use it immediately, and the owners are notified by email. `version` is that of the merchant's `proposed_name`: without it, or when another name was requested since, the call answers 40940.",
    access: staff("changes.decide"),
    params: MerchantParams,
    body: ApproveNameInput,
    previewable: effects,
    result: NameDecided,
    errors: ["merchant_unknown", "change_decided", "revision_conflict", "name_taken"],
  },
  ({ viewer, params, body }) => approveName(viewer, params.id, body),
);
