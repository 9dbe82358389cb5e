import { endpoint } from "@/lib/platform/api/endpoint";
import { GoodwillInput, GoodwillParams, GoodwillView } from "@/lib/staff/goodwill/contract";
import { giveGoodwill } from "@/lib/staff/goodwill/give-goodwill";
import { Preview, previewable } from "@/lib/staff/preview/contract";
import { runOrPreview } from "@/lib/staff/preview/run-or-preview";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Return a part of a pass's price as a gesture",
    description:
      "Beyond the refund rule; the codes stay valid. Support may give $25 an order; more than $100 needs a second person: `approval_required`. With `preview` nothing changes, and the response lists the effects.",
    access: staff("refunds.goodwill", { reauthenticated: true }),
    params: GoodwillParams,
    body: GoodwillInput.extend({ preview: Preview }),
    result: previewable(GoodwillView),
    errors: [
      "order_unknown",
      "refund_not_allowed",
      "payment_disputed",
      "line_changed",
      "revision_conflict",
      "amount_above_left",
      "amount_above_limit",
      "own_refund",
      "note_has_code",
      "approval_required",
    ],
  },
  ({ viewer, params, locale, body: { preview, ...input } }) =>
    runOrPreview(preview, () => giveGoodwill(viewer, params.id, input, locale)),
);
