import { revealKey } from "@/lib/delivery/commands";
import { RevealedKey, RevealKeyInput } from "@/lib/delivery/contract";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Reveal a code of the viewer; the reveal is recorded",
    access: "user",
    replay: false,
    body: RevealKeyInput,
    result: RevealedKey,
    errors: ["key_unknown", "key_frozen"],
  },
  ({ body, viewer }) => revealKey(viewer, body),
);
