import { DecideWarningInput, WarningDecided, WarningParams } from "@/lib/orders/console/contract-warnings";
import { refundWarning } from "@/lib/orders/console/decide-warnings";
import { endpoint } from "@/lib/platform/api/endpoint";
import { effects } from "@/lib/staff/preview/effects";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Refund an order that a bank warned of",
    description:
      "What is left of its money goes back with all of its codes: unseen ones are sold again, seen ones locked for good.",
    access: staff("refunds.decide", { reauthenticated: true }),
    params: WarningParams,
    body: DecideWarningInput,
    previewable: effects,
    result: WarningDecided,
    errors: [
      "warning_unknown",
      "warning_decided",
      "own_refund",
      "payment_disputed",
      "revision_conflict",
      "note_has_code",
    ],
  },
  ({ viewer, params, body }) => refundWarning(viewer, params.id, body),
);
