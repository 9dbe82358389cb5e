import { endpoint } from "@/lib/platform/api/endpoint";
import { changeTrust } from "@/lib/staff/merchants/commands";
import { MerchantParams, MerchantTrust, MerchantTrustInput } from "@/lib/staff/merchants/contract";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Say whether a merchant is trusted",
    description: "Low-risk changes of a trusted merchant need no approval.",
    access: staff("merchants.decide", { reauthenticated: true }),
    params: MerchantParams,
    body: MerchantTrustInput,
    result: MerchantTrust,
    errors: ["merchant_unknown", "revision_conflict", "nothing_changes"],
  },
  ({ viewer, params, body }) => changeTrust(viewer, params.id, body),
);
