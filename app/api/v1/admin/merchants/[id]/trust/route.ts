import { changeTrust } from "@/lib/merchants/console/change-trust";
import {
  MerchantParams,
  MerchantTrust,
  MerchantTrustInput,
} from "@/lib/merchants/console/contract-merchants";
import { endpoint } from "@/lib/platform/api/endpoint";
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
