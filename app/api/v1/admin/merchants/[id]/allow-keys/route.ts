import { endpoint } from "@/lib/platform/api/endpoint";
import { allowKeys } from "@/lib/staff/merchants/commands";
import { KeysAllowed, MerchantParams } from "@/lib/staff/merchants/contract";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Let a merchant add codes again",
    description:
      "A merchant that has sent five codes of others adds no more codes until an administrator allows it; the count begins anew.",
    access: staff("merchants.decide", { reauthenticated: true }),
    params: MerchantParams,
    result: KeysAllowed,
    errors: ["merchant_unknown", "nothing_changes"],
  },
  ({ viewer, params }) => allowKeys(viewer, params.id),
);
