import { merchant } from "@/lib/merchants/rules";
import { PayoutTermsInput, PayoutTermsView } from "@/lib/payouts/accounts/contract";
import { setTerms } from "@/lib/payouts/terms/set-terms";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Set the day of payouts, and from which amount on",
    access: merchant("payouts.manage"),
    body: PayoutTermsInput,
    result: PayoutTermsView,
    errors: [],
  },
  ({ viewer, body }) => setTerms(viewer, body),
);
