import { OrderDetail, OrderRef } from "@/lib/orders/contract";
import { getOrder } from "@/lib/orders/find-order";
import { endpoint } from "@/lib/platform/api/endpoint";

export const GET = endpoint(
  {
    summary: "An order of the viewer, with its history",
    access: "user",
    query: OrderRef,
    result: OrderDetail,
    errors: ["order_unknown"],
  },
  ({ query, viewer, locale, ip }) => getOrder(viewer, query.order_id, locale, ip),
);
