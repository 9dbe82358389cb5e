import {
  OrderReplacementInput,
  OrderReplacementRequested,
} from "@/lib/delivery/console/contract-replacements";
import { requestConsoleReplacement } from "@/lib/delivery/console/decide-console-replacements";
import { ConsoleOrderParams } from "@/lib/orders/console/contract-detail";
import { endpoint } from "@/lib/platform/api/endpoint";
import { effects } from "@/lib/staff/preview/effects";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Request a replacement for a code of an order, on behalf of its owner",
    description:
      "A request like the buyer's own, by the same rules; someone else decides it. The code is named by its reference. With `preview` nothing changes, and the response lists the effects.",
    access: staff("replacements.decide", { reauthenticated: true }),
    params: ConsoleOrderParams,
    body: OrderReplacementInput,
    previewable: effects,
    result: OrderReplacementRequested,
    errors: [
      "order_unknown",
      "key_unknown",
      "key_frozen",
      "replacement_asked",
      "revision_conflict",
      "note_has_code",
    ],
  },
  ({ viewer, params, body }) => requestConsoleReplacement(viewer, params.id, body),
);
