import { sql } from "drizzle-orm";
import { afterAll, beforeAll } from "vitest";
import { POST as activate } from "@/app/api/v1/library/activate/route";
import { POST as replace } from "@/app/api/v1/library/replace/route";
import { POST as resend } from "@/app/api/v1/order/resend/route";
import { POST as answerVendor } from "@/app/api/v1/order/vendor-confirmation/route";
import { db } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { ACTIVATION_MINUTES } from "@/lib/delivery/rules";
import { revealKey } from "@/lib/orders/fulfilment/reveal-key";
import { requestRefund } from "@/lib/orders/refunds/request-refund";
import { createSignedToken } from "@/lib/platform/auth/signed-link";
import { newId } from "@/lib/platform/crypto/ids";
import * as sale from "@/tests/setup/sale";
import { describeRejections, recordChanges } from "./rejections";

let planId: number;
beforeAll(async () => {
  sale.receiveEventsInProcess();
  planId = (await createProduct({ plans: [{ type: "month", keys: 40 }] })).plans[0]!.id;
});
recordChanges();
afterAll(sale.closeSale);

async function buyPass(choice: sale.DeliveryChoice = {}) {
  const user = await sale.createBuyer();
  const order_id = await sale.sellWithChoice(user, planId, choice);
  const [row] = await db.execute<{ line: string; key: string }>(sql`
    select l.id as line, k.id as key from order_lines l join keys k on k.order_line_id = l.id where l.order_id = ${order_id}`);
  return { user, order_id, order_product_id: row!.line, library_id: row!.key };
}
/** A revealed code with a refund request. It is locked until the vendor has confirmed its state. */
async function createFrozenPass() {
  const { user, order_id, order_product_id, library_id } = await buyPass();
  await revealKey(user.viewer, { library_id });
  await requestRefund(user.viewer, { order_id, order_product_id }, "en");
  return { user, order_id, library_id };
}
async function findRequestOf(orderId: string) {
  const [request] = await db.execute<{ id: string }>(sql`
    select q.id from refund_requests q join order_lines l on l.id = q.order_line_id where l.order_id = ${orderId}`);
  return request!.id;
}

let sharedPass: ReturnType<typeof createFrozenPass> | undefined;
/** One frozen code for all tests, because a rejection changes nothing. */
const getFrozenPass = () => {
  sharedPass ??= createFrozenPass();
  return sharedPass;
};

describeRejections("/library/activate", activate, {
  key_frozen: async () => {
    const { user, library_id } = await getFrozenPass();
    return { user, body: { library_id } };
  },
  code_unrevealed: async () => {
    const { user, library_id } = await buyPass({ immediate_delivery: false });
    return { user, body: { library_id } };
  },
  activation_settled: async () => {
    const { user, library_id } = await buyPass();
    await db.execute(sql`
      insert into key_events (key_id, event, actor, created_at)
      values (${library_id}, 'activated', ${user.id}, shop_now() - make_interval(mins => ${ACTIVATION_MINUTES}))`);
    return { user, body: { library_id } };
  },
});
describeRejections("/library/replace", replace, {
  key_frozen: async () => {
    const { user, library_id } = await getFrozenPass();
    return { user, body: { library_id, reason: "It is refused." } };
  },
});
describeRejections("/order/resend", resend, {
  key_frozen: async () => {
    const { user, order_id } = await getFrozenPass();
    return { user, body: { order_id } };
  },
  code_unrevealed: async () => {
    const { user, order_id } = await buyPass({ immediate_delivery: false });
    return { user, body: { order_id } };
  },
});

describeRejections("/order/vendor-confirmation", answerVendor, {
  payment_disputed: async () => {
    const { order_id } = await createFrozenPass();
    await db.execute(sql`
      insert into disputes (id, order_id, intent_id, amount_cents, reason, status, is_open)
      select ${newId("du")}, id, transaction_id, total_cents, 'general', 'needs_response', true from orders where id = ${order_id}`);
    const request = await findRequestOf(order_id);
    return { body: { token: createSignedToken("vendor-confirmation", { request, answer: "used" }) } };
  },
  revision_conflict: async () => {
    const { order_id } = await createFrozenPass();
    const request = await findRequestOf(order_id);
    const version = "0123456789abcdef"; // of an email about other codes
    return {
      body: { token: createSignedToken("vendor-confirmation", { request, answer: "used", version }) },
    };
  },
});
