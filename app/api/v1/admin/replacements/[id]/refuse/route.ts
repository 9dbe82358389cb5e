import {
  RefuseReplacementInput,
  ReplacementDecided,
  ReplacementParams,
} from "@/lib/delivery/console/contract-replacements";
import { refuseConsoleReplacement } from "@/lib/delivery/console/decide-console-replacements";
import { endpoint } from "@/lib/platform/api/endpoint";
import { effects } from "@/lib/staff/preview/effects";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Refuse to replace a code",
    description: "The reason is mailed to the owner of the code, who may ask again.",
    access: staff("replacements.decide", { reauthenticated: true }),
    params: ReplacementParams,
    body: RefuseReplacementInput,
    previewable: effects,
    result: ReplacementDecided,
    errors: [
      "replacement_unknown",
      "replacement_decided",
      "own_replacement",
      "revision_conflict",
      "note_has_code",
    ],
  },
  ({ viewer, params, body }) => refuseConsoleReplacement(viewer, params.id, body),
);
