import { ApproveRefundsInput, RefundsApproved } from "@/lib/orders/console/contract-refunds";
import { approveRefunds } from "@/lib/orders/console/decide-refunds";
import { endpoint } from "@/lib/platform/api/endpoint";
import { effects } from "@/lib/staff/preview/effects";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Approve several refund requests",
    description:
      "Each on its own, as it was listed: `versions` has the version of each by its id. `failed` names those that could not be approved, for example because they have changed since. With `preview` nothing changes, and the response lists the effects.",
    access: staff("refunds.decide", { reauthenticated: true }),
    body: ApproveRefundsInput,
    previewable: effects,
    result: RefundsApproved,
    errors: [],
  },
  ({ viewer, body }) => approveRefunds(viewer, body),
);
