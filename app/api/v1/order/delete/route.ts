import { z } from "zod";
import { endpoint } from "@/lib/endpoint";
import { hideOrder } from "@/lib/orders/commands-release";
import { OrderRef } from "@/lib/orders/contract";

export const POST = endpoint(
  {
    summary: "Take a finished order out of one's list; the record stays",
    access: "user",
    body: OrderRef,
    result: z.object({ order_id: z.string() }),
    errors: ["order_unknown", "order_not_deletable"],
  },
  ({ body, viewer }) => hideOrder(viewer, body),
);
