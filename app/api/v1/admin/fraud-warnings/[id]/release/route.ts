import { DecideWarningInput, WarningDecided, WarningParams } from "@/lib/orders/console/contract-warnings";
import { releaseWarning } from "@/lib/orders/console/decide-warnings";
import { endpoint } from "@/lib/platform/api/endpoint";
import { effects } from "@/lib/staff/preview/effects";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Let a sale stand that a bank warned of",
    description: "Its codes are unlocked, and mailed if that was stopped.",
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
  ({ viewer, params, body }) => releaseWarning(viewer, params.id, body),
);
