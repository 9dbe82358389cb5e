import { z } from "zod";
import { hideOrder } from "@/lib/orders/cancellation/hide-order";
import { OrderRef } from "@/lib/orders/contract";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Hide a finished order from the viewer's list; the record stays",
    access: "user",
    body: OrderRef,
    result: z.object({ order_id: z.string() }),
    errors: ["order_unknown", "order_not_deletable"],
  },
  ({ body, viewer }) => hideOrder(viewer, body),
);
