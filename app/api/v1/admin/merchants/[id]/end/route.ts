import {
  MerchantParams,
  MerchantReasonInput,
  MerchantState,
} from "@/lib/merchants/console/contract-merchants";
import { endMerchant } from "@/lib/merchants/console/end-merchant";
import { endpoint } from "@/lib/platform/api/endpoint";
import { secondPerson } from "@/lib/staff/approvals/second-person";
import { effects } from "@/lib/staff/preview/effects";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Close a merchant for good",
    description:
      "A second person decides. Then its products are off the shop and its open invitations are void; it still reads, and serves paid orders.",
    access: staff("merchants.decide", { reauthenticated: true }),
    params: MerchantParams,
    body: MerchantReasonInput,
    previewable: effects,
    result: MerchantState,
    approval: secondPerson("end_merchant"),
    errors: ["merchant_unknown", "revision_conflict", "merchant_state", "note_has_code"],
  },
  ({ params, body }) => endMerchant(params.id, body),
);
