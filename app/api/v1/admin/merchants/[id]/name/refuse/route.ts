import { MerchantParams } from "@/lib/merchants/console/contract-merchants";
import { NameDecided, RefuseNameInput } from "@/lib/merchants/names/contract";
import { refuseName } from "@/lib/merchants/names/decide-name";
import { endpoint } from "@/lib/platform/api/endpoint";
import { effects } from "@/lib/staff/preview/effects";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Refuse the name that a merchant requests",
    description:
      "The merchant keeps the name that it has. The owners receive the reason by email. `version` is that of the merchant's `proposed_name`: without it, or when another name was requested since, the call answers 40940.",
    access: staff("changes.decide"),
    params: MerchantParams,
    body: RefuseNameInput,
    previewable: effects,
    result: NameDecided,
    errors: ["merchant_unknown", "change_decided", "revision_conflict", "note_has_code"],
  },
  ({ viewer, params, body }) => refuseName(viewer, params.id, body),
);
