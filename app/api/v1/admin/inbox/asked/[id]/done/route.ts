import { endpoint } from "@/lib/platform/api/endpoint";
import { AskedDone, AskedParams } from "@/lib/staff/inbox/contract";
import { endQuestion } from "@/lib/staff/inbox/mark-item";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "End a question about an order",
    description: "By who asked it, or someone of the role that was asked.",
    access: staff("orders.write"),
    params: AskedParams,
    result: AskedDone,
    errors: ["order_unknown"],
  },
  ({ viewer, params }) => endQuestion(viewer, params.id),
);
