import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { requestRefund } from "@/lib/orders/refunds/request-refund";
import { sendRefund } from "@/lib/orders/refunds/send-refund";
import * as sale from "./sale";
import { returnSandboxRefunds } from "./stripe-faults";

/** Sells a plan, mails its codes, and asks for its refund, which waits for the vendor. */
export async function askRefund(buyer: sale.Buyer, planId: number, quantity = 1) {
  const orderId = await sale.sell(buyer, planId, quantity);
  await sale.runQueue();
  const lineId = await findFirstLine(orderId);
  const input = { order_id: orderId, order_product_id: lineId };
  const { state } = await requestRefund(buyer.viewer, input, "en");
  if (state !== "asked") throw new Error(`the refund is ${state}`);
  const [request] = await db.execute<{ id: string }>(sql`
    select id from refund_requests where order_line_id = ${lineId}`);
  return { orderId, lineId, requestId: request!.id };
}

export async function findFirstLine(orderId: string): Promise<string> {
  const [line] = await db.execute<{ id: string }>(sql`
    select id from order_lines where order_id = ${orderId} order by position limit 1`);
  return line!.id;
}

/** All attempts of the order's pending refund fail. Returns the last one, which must be paid by other means. */
export async function failRefundForGood(orderId: string): Promise<string> {
  const next = async () => {
    const [refund] = await db.execute<{ id: string }>(sql`
      select id from refunds where order_id = ${orderId} order by state <> 'pending', created_at desc, id desc limit 1`);
    return refund!.id;
  };
  returnSandboxRefunds(4);
  for (let attempt = 0; attempt < 4; attempt += 1) {
    await db.execute(
      sql`update refunds set updated_at = shop_now() where order_id = ${orderId} and state = 'pending'`,
    );
    await sendRefund(await next());
    await sale.processEvents();
  }
  const [failed] = await db.execute<{ id: string }>(sql`
    select detail->>'refundId' as id from audit_entries where action = 'refund_failed' and subject = ${orderId}`);
  return failed!.id;
}
