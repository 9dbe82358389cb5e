import { withoutCodes } from "@/lib/delivery/code-text/without-codes";
import { EndPayoutInput, IdParams, PayoutEnded } from "@/lib/payouts/console/contract";
import { endPayoutByStaff } from "@/lib/payouts/runs/end-payout";
import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Record how a payout ended",
    description:
      "`confirmed` and `failed` of a sent one, `returned` of a confirmed one. What did not arrive is owed again; the owners are mailed.",
    access: staff("payouts.manage", { reauthenticated: true }),
    params: IdParams,
    body: EndPayoutInput,
    texts: withoutCodes(({ body }: { body: EndPayoutInput }) => [body.reason]),
    result: PayoutEnded,
    errors: ["payout_unknown", "payout_state", "destination_empty", "provider_unavailable"],
  },
  ({ viewer, params, body }) => endPayoutByStaff(viewer, params.id, body),
);
