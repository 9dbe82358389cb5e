import { ReplaceKeyInput, ReplacementRequested } from "@/lib/delivery/contract";
import { requestReplacement } from "@/lib/delivery/replacement/request-replacement";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Request a replacement for a code that does not work; staff decide",
    access: "user",
    body: ReplaceKeyInput,
    result: ReplacementRequested,
    errors: ["key_unknown", "key_frozen", "replacement_asked"],
  },
  ({ body, viewer }) => requestReplacement(viewer, body),
);
