import { ReplacementDecided, ReplacementParams } from "@/lib/delivery/console/contract-replacements";
import { approveConsoleReplacement } from "@/lib/delivery/console/decide-console-replacements";
import { endpoint } from "@/lib/platform/api/endpoint";
import { SeenVersion } from "@/lib/platform/console/version";
import { Preview, previewable } from "@/lib/staff/preview/contract";
import { runOrPreview } from "@/lib/staff/preview/run-or-preview";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Replace a code that does not work",
    description:
      "Revokes the old code and delivers an available one of the same plan, in the way of the order: by email or in the Library. Refused while the payment is disputed or a refund is requested, and to the person who asked for it or owns the code or its order.",
    access: staff("replacements.decide", { reauthenticated: true }),
    params: ReplacementParams,
    body: SeenVersion.extend({ preview: Preview }),
    result: previewable(ReplacementDecided),
    errors: [
      "replacement_unknown",
      "replacement_decided",
      "own_replacement",
      "revision_conflict",
      "replacement_no_stock",
      "replacement_locked",
    ],
  },
  ({ viewer, params, body: { preview, ...seen } }) =>
    runOrPreview(preview, () => approveConsoleReplacement(viewer, params.id, seen)),
);
