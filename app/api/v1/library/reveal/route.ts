import { RevealedKey, RevealKeyInput } from "@/lib/delivery/contract";
import { revealKey } from "@/lib/orders/fulfilment/reveal-key";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Reveal a code of the viewer; the reveal is recorded",
    description:
      "Revealing a code with `needs_consent` requests its immediate delivery: the call is the consent, which is stored with it, and the statutory right of withdrawal ends for this code.",
    access: "user",
    replay: false,
    body: RevealKeyInput,
    result: RevealedKey,
    errors: ["key_unknown", "key_frozen", "code_held_back"],
  },
  ({ body, viewer, locale }) => revealKey(viewer, body, locale),
);
