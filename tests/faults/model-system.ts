import { sql } from "drizzle-orm";
import { POST as addToCart } from "@/app/api/v1/cart/add/route";
import { POST as reveal } from "@/app/api/v1/library/reveal/route";
import { GET as library } from "@/app/api/v1/library/route";
import { POST as cancel } from "@/app/api/v1/order/cancel/route";
import { POST as placeOrder } from "@/app/api/v1/order/create/route";
import { POST as requestRefund } from "@/app/api/v1/order/refund/request/route";
import { POST as confirm } from "@/app/api/v1/payment/sandbox/confirm/route";
import { POST as openPayment } from "@/app/api/v1/payment/stripe/create-payment-intent/route";
import { db } from "@/db/client";
import { createKeys, createProduct } from "@/db/factories/catalog";
import { createCoupon } from "@/db/factories/coupons";
import { sweepJob } from "@/lib/orders/jobs";
import { settlePayment } from "@/lib/orders/payment/settle-payment";
import { decideRefundRequest } from "@/lib/orders/refunds/decide-refund-request";
import type { Handler } from "@/lib/platform/api/declaration";
import { startSession } from "@/lib/platform/auth/session";
import { call } from "@/tests/api/call";
import * as sale from "@/tests/setup/sale";
import { deliverEvent } from "@/tests/setup/webhook-events";

/** The real system of one run of the model: one buyer, one plan and one coupon; calls go to the API's handlers. */
export type RealSystem = Awaited<ReturnType<typeof createRealSystem>>;

export const PRICE_CENTS = 1000;
export const COUPON_CENTS = 300;

export async function createRealSystem(keys: number) {
  const buyer = await sale.createBuyer();
  let authorization = buyer.bearer;
  const product = await createProduct({ plans: [{ keys, type: "month", priceCents: PRICE_CENTS }] });
  const plan = product.plans[0]!.id;
  const coupon = await createCoupon({ amountCents: COUPON_CENTS });
  const post = async (handler: Handler, path: string, body?: object) => {
    const response = await call(handler, path, { body, headers: { authorization } });
    return { code: String(response.body.code), data: response.body.data };
  };
  const findIntent = async (orderId: string) => {
    const [row] = await db.execute<{ id: string }>(
      sql`select intent_id as id from payments where order_id = ${orderId} and intent_id is not null order by created_at desc limit 1`,
    );
    return row?.id;
  };
  /** Delivers all events and runs all jobs. */
  const processEvents = async () => {
    for (const { payload } of await takeNewEvents()) await deliverEvent(payload);
    await sale.runQueue();
    const jobEvents = await takeNewEvents();
    for (const { payload } of jobEvents) await deliverEvent(payload);
    if (jobEvents.length > 0) await sale.runQueue();
  };
  const delivered = new Set<string>();
  const listEvents = async () =>
    db.execute<{ id: string; payload: object }>(sql`
      select e.id, e.payload from sandbox_events e join payments p
        on p.intent_id in (e.payload->'data'->'object'->>'id', e.payload->'data'->'object'->>'payment_intent')
      join orders o on o.id = p.order_id where o.user_id = ${buyer.id} order by e.created_at, e.id`);
  const takeNewEvents = async () => {
    const newEvents = (await listEvents()).filter(({ id }) => !delivered.has(id));
    for (const { id } of newEvents) delivered.add(id);
    return newEvents;
  };
  return {
    buyer,
    processEvents,
    addToCart: () => post(addToCart, "/cart/add", { product_id: product.id, vip_id: plan, quantity: 1 }),
    async placeOrder(withCoupon: boolean) {
      await sale.forgetHolds(buyer); // the model knows no limits on unpaid orders
      return post(placeOrder, "/order/create", withCoupon ? { coupon_code: coupon } : {});
    },
    async pay(orderId: string, outcome: string) {
      const payment = await post(openPayment, "/payment/stripe/create-payment-intent", { order_id: orderId });
      if (payment.code !== "200") return payment;
      const { client_secret } = payment.data;
      const response = await post(confirm, "/payment/sandbox/confirm", { client_secret, outcome });
      // The bank decides immediately.
      await db.execute(
        sql`update sandbox_intents set settles_at = shop_now() where id = ${(await findIntent(orderId)) ?? ""} and settles_at is not null`,
      );
      const { settleDueSandboxIntents } = await import("@/lib/platform/stripe/sandbox/confirm");
      await settleDueSandboxIntents();
      return response;
    },
    cancel: (orderId: string) => post(cancel, "/order/cancel", { order_id: orderId }),
    async expireHold() {
      await db.execute(sql`update shop_clock set shift = shift + interval '31 minutes'`);
      await sweepJob.run(undefined);
      authorization = `Bearer ${(await startSession({ id: buyer.id }, "Model")).token}`; // the session has expired too
    },
    /** The provider receives the money of a payment that was cancelled. */
    async payLate(orderId: string) {
      const intent = (await findIntent(orderId)) ?? "";
      await db.execute(
        sql`update sandbox_intents set status = 'succeeded', received_cents = amount_cents where id = ${intent}`,
      );
      await settlePayment(intent);
    },
    async requestRefund(orderId: string) {
      const [line] = await db.execute<{ id: string }>(
        sql`select id from order_lines where order_id = ${orderId}`,
      );
      return post(requestRefund, "/order/refund/request", { order_id: orderId, order_product_id: line!.id });
    },
    async confirmAsVendor(orderId: string, decision: "approved" | "refused") {
      const [request] = await db.execute<{ id: string }>(sql`select q.id from refund_requests q
        join order_lines l on l.id = q.order_line_id where l.order_id = ${orderId} and q.state = 'asked'`);
      await decideRefundRequest(request!.id, { decision, by: "staff:model" });
    },
    async reveal(orderId: string) {
      const [key] = await db.execute<{
        id: string;
      }>(sql`select k.id from keys k join order_lines l on l.id = k.order_line_id
        where l.order_id = ${orderId}`);
      return post(reveal, "/library/reveal", { library_id: key!.id });
    },
    countLibraryItems: async () => (await post(library, "/library")).data.total as number,
    addStock: () => createKeys(plan, 1),
    async replayEvent(pick: number) {
      const events = await listEvents();
      if (events.length > 0)
        for (let times = 0; times < 3; times++) await deliverEvent(events[pick % events.length]!.payload);
    },
    /** The actual state to compare with the model. */
    async readState() {
      const orders = await db.execute<{ id: string; status: string }>(
        sql`select id, status from orders where user_id = ${buyer.id} order by created_at`,
      );
      const [row] = await db.execute<{
        available: number;
        coupon: string;
        cash: number;
        provider: number;
      }>(sql`
        select (select count(*)::int from keys where plan_id = ${plan} and state = 'available') as available,
          (select state from coupons where code = ${coupon}) as coupon,
          (select coalesce(sum(e.amount_cents), 0)::int from ledger_entries e join orders o on o.id = e.order_id
            where o.user_id = ${buyer.id} and e.account = 'provider_cash') as cash,
          (select coalesce(sum(i.received_cents - i.refunded_cents), 0)::int from sandbox_intents i
            join payments p on p.intent_id = i.id join orders o on o.id = p.order_id where o.user_id = ${buyer.id}) as provider`);
      return { statuses: orders.map(({ status }) => status), ...row! };
    },
  };
}
