import { ListOrdersInput, OrderList } from "@/lib/orders/contract";
import { listOrders } from "@/lib/orders/list-orders";
import { endpoint } from "@/lib/platform/api/endpoint";

export const GET = endpoint(
  {
    summary: "The viewer's orders, newest first",
    access: "user",
    query: ListOrdersInput,
    result: OrderList,
    errors: [],
  },
  ({ query, viewer, locale }) => listOrders(viewer, query, locale),
);
