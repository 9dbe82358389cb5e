import { allowKeys } from "@/lib/merchants/console/allow-keys";
import { KeysAllowed, MerchantParams } from "@/lib/merchants/console/contract-merchants";
import { endpoint } from "@/lib/platform/api/endpoint";
import { SeenVersion } from "@/lib/platform/console/version";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Let a merchant add codes again",
    description:
      "A merchant that has sent five codes of others cannot add codes until an administrator allows it, which resets the count. `version` is `keys_version` of the merchant as it was read: without it, or when the merchant was stopped again since, the call answers 40940.",
    access: staff("merchants.decide", { reauthenticated: true }),
    params: MerchantParams,
    body: SeenVersion,
    result: KeysAllowed,
    errors: ["merchant_unknown", "nothing_changes", "revision_conflict"],
  },
  ({ viewer, params, body }) => allowKeys(viewer, params.id, body),
);
