import { ConsoleOrderDetail, ConsoleOrderParams } from "@/lib/orders/console/contract-detail";
import { getConsoleOrder } from "@/lib/orders/console/get-console-order";
import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "An order with everything that happened to it",
    description: "By id or number. Codes are named by their reference, never by their text.",
    access: staff("orders.read"),
    params: ConsoleOrderParams,
    result: ConsoleOrderDetail,
    errors: ["order_unknown"],
  },
  ({ params, locale, viewer }) => getConsoleOrder(params.id, locale, viewer),
);
