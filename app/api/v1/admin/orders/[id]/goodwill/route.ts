import { GoodwillInput, GoodwillParams, GoodwillView } from "@/lib/orders/console/contract-goodwill";
import { giveGoodwill } from "@/lib/orders/console/give-goodwill";
import { endpoint } from "@/lib/platform/api/endpoint";
import { secondPerson } from "@/lib/staff/approvals/second-person";
import { effects } from "@/lib/staff/preview/effects";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Return a part of a pass's price as a gesture",
    description:
      "Beyond the refund rule; the codes stay valid. Support may give $25 an order; more than $100 needs a second person: `approval_required`. With `preview` nothing changes, and the response lists the effects.",
    access: staff("refunds.goodwill", { reauthenticated: true }),
    params: GoodwillParams,
    body: GoodwillInput,
    previewable: effects,
    result: GoodwillView,
    approval: secondPerson("goodwill"),
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
    ],
  },
  ({ viewer, params, locale, body }) => giveGoodwill(viewer, params.id, body, locale),
);
