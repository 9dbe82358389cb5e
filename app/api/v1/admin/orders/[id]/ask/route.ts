import { withoutCodes } from "@/lib/delivery/code-text/without-codes";
import { endpoint } from "@/lib/platform/api/endpoint";
import { Asked, AskedParams, AskInput } from "@/lib/staff/inbox/contract";
import { askAboutOrder } from "@/lib/staff/inbox/mark-item";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Ask everyone of a role about an order",
    description: "It stands in their inbox until it is ended. A second question replaces the first.",
    access: staff("orders.write"),
    params: AskedParams,
    body: AskInput,
    texts: withoutCodes(({ body }: { body: AskInput }) => [body.note]),
    result: Asked,
    errors: ["order_unknown", "member_unknown"],
  },
  ({ viewer, params, body }) => askAboutOrder(viewer, params.id, body),
);
