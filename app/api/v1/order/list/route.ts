import { endpoint } from "@/lib/endpoint";
import { ListOrdersInput, OrderList } from "@/lib/orders/contract";
import { listOrders } from "@/lib/orders/queries";

export const GET = endpoint(
  {
    summary: "One's own orders, newest first",
    access: "user",
    query: ListOrdersInput,
    result: OrderList,
    errors: [],
  },
  ({ query, viewer, locale }) => listOrders(viewer, query, locale),
);
