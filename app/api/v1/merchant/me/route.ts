import { MerchantMe } from "@/lib/merchants/contract-portal";
import { describeMerchant } from "@/lib/merchants/describe-merchant";
import { merchant } from "@/lib/merchants/rules";
import { endpoint } from "@/lib/platform/api/endpoint";

export const GET = endpoint(
  {
    summary: "The merchant of the call, and what the caller may do for it",
    description:
      "A session of a person who sells for several merchants names one in the header `Passlane-Merchant`. A token belongs to one merchant.",
    access: merchant("profile.read"),
    result: MerchantMe,
    errors: [],
  },
  ({ viewer }) => describeMerchant(viewer),
);
