import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import type { SignedInUser } from "@/db/factories/accounts";
import { settlePayment } from "@/lib/orders/payment/settle-payment";
import { placeOrder } from "@/lib/orders/placing/place-order";
import { decideRefundRequest } from "@/lib/orders/refunds/decide-refund-request";
import { requestRefund } from "@/lib/orders/refunds/request-refund";
import { createPaymentIntent } from "@/lib/payments/create-payment-intent";
import { runQueue } from "@/tests/setup/sale";

/** A buyer with one cart line, and a coupon. */
export type SaleInput = { viewer: SignedInUser["viewer"]; coupon: string };
type PayAtProvider = (clientSecret: string) => Promise<unknown>;

/**
 * A sale from the cart to the refund. Each step starts from the state of the database, so a second run after a kill
 * continues the sale. `payAtProvider` acts for the card holder.
 */
export async function runSale({ viewer, coupon }: SaleInput, payAtProvider: PayAtProvider): Promise<void> {
  for (let attempt = 0; attempt < 12; attempt++) {
    const [order] = await db.execute<{
      id: string;
      status: string;
      line: string;
      intent: string | null;
      refund_request: string | null;
    }>(sql`
      select o.id, o.status, l.id as line, p.intent_id as intent,
        (select q.id from refund_requests q where q.order_line_id = l.id and q.state = 'asked') as refund_request
      from orders o join order_lines l on l.order_id = o.id left join payments p on p.order_id = o.id
      where o.user_id = ${viewer.userId}`);
    if (!order) await placeOrder(viewer, { coupon_code: coupon }, "en");
    else if (order.status === "refunded") {
      const pending = await db.execute(
        sql`select 1 from refunds where order_id = ${order.id} and state <> 'succeeded'`,
      );
      await runQueue();
      if (pending.length === 0) return;
    } else if (order.status === "pending") {
      const { client_secret } = await createPaymentIntent(viewer, { order_id: order.id }).catch(() => ({
        client_secret: "",
      }));
      if (client_secret) await payAtProvider(client_secret);
      const [paid] = await db.execute<{ intent: string }>(
        sql`select intent_id as intent from payments where order_id = ${order.id} and intent_id is not null`,
      );
      if (paid) await settlePayment(paid.intent);
    } else if (order.status !== "completed") await runQueue();
    else if (order.refund_request)
      await decideRefundRequest(order.refund_request, { decision: "approved", by: "staff:trial" });
    else await requestRefund(viewer, { order_id: order.id, order_product_id: order.line }, "en");
  }
  throw new Error("the sale does not end");
}
