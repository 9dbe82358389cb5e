import { ConsoleOrderParams } from "@/lib/orders/console/contract-detail";
import { resendKeysByStaff } from "@/lib/orders/fulfilment/resend-keys";
import { ResendView } from "@/lib/orders/refunds/contract";
import { endpoint } from "@/lib/platform/api/endpoint";
import { effects } from "@/lib/staff/preview/effects";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Mail the codes of an order again",
    description:
      "To its delivery address, at most three times an hour: codes that were shown or mailed before, neither refunded nor locked. With `preview` nothing changes, and the response lists the effects.",
    access: staff("orders.write"),
    params: ConsoleOrderParams,
    previewable: effects,
    result: ResendView,
    errors: ["order_unknown", "key_unknown", "code_unrevealed", "key_frozen"],
  },
  ({ viewer, params }) => resendKeysByStaff(viewer, params.id),
);
