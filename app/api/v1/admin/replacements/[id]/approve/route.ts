import { ReplacementDecided, ReplacementParams } from "@/lib/delivery/console/contract-replacements";
import { approveConsoleReplacement } from "@/lib/delivery/console/decide-console-replacements";
import { endpoint } from "@/lib/platform/api/endpoint";
import { SeenVersion } from "@/lib/platform/console/version";
import { effects } from "@/lib/staff/preview/effects";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Replace a code that does not work",
    description:
      "Revokes the old code and delivers an available one of the same plan, in the way of the order: by email or in the Library. Refused while the payment is disputed or a refund is requested, and to the person who asked for it or owns the code or its order.",
    access: staff("replacements.decide", { reauthenticated: true }),
    params: ReplacementParams,
    body: SeenVersion,
    previewable: effects,
    result: ReplacementDecided,
    errors: [
      "replacement_unknown",
      "replacement_decided",
      "own_replacement",
      "revision_conflict",
      "replacement_no_stock",
      "replacement_locked",
    ],
  },
  ({ viewer, params, body }) => approveConsoleReplacement(viewer, params.id, body),
);
