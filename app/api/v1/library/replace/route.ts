import { ReplaceKeyInput, ReplacementAsked } from "@/lib/delivery/contract";
import { askReplacement } from "@/lib/delivery/replacement/commands";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Ask for another code in place of one that does not work; staff decide",
    access: "user",
    body: ReplaceKeyInput,
    result: ReplacementAsked,
    errors: ["key_unknown", "key_frozen", "replacement_asked"],
  },
  ({ body, viewer }) => askReplacement(viewer, body),
);
