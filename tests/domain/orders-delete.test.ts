import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { db } from "@/db/client";
import { createSinglePlan } from "@/db/factories/catalog";
import { cancelOrder } from "@/lib/orders/cancellation/cancel-order";
import { hideOrder } from "@/lib/orders/cancellation/hide-order";
import { getOrder } from "@/lib/orders/find-order";
import { listOrders } from "@/lib/orders/list-orders";
import { decideRefundRequest } from "@/lib/orders/refunds/decide-refund-request";
import { requestRefund } from "@/lib/orders/refunds/request-refund";
import { getErrorName } from "../setup/error-name";
import * as sale from "../setup/sale";

beforeAll(() => sale.receiveEventsInProcess());
afterAll(sale.closeSale);

const createTestPlan = async () => (await createSinglePlan({ type: "month", keys: 3 })).id;
const getTestOrder = (user: sale.Buyer, id: string) => getOrder(user.viewer, id, "en");
/** `can_delete` of the list and of the order, and the error of the call. */
async function checkDeletion(user: sale.Buyer, id: string) {
  const { orders } = await listOrders(user.viewer, { page: 1, size: 10 }, "en");
  const canDelete = [
    orders.find((order) => order.order_id === id)?.can_delete,
    (await getTestOrder(user, id)).can_delete,
  ];
  return [...canDelete, await getErrorName(hideOrder(user.viewer, { order_id: id }))];
}
const NOT_DELETABLE = [false, false, "order_not_deletable"];
const DELETABLE = [true, true, null];

describe("deleting an order from the list", () => {
  it("is rejected while the order is open", async () => {
    const buyer = await sale.createBuyer();
    const id = await sale.orderPlan(buyer, await createTestPlan());
    expect(await checkDeletion(buyer, id)).toEqual(NOT_DELETABLE);
    await cancelOrder(buyer.viewer, { order_id: id });
    expect(await checkDeletion(buyer, id)).toEqual(DELETABLE);
    expect((await listOrders(buyer.viewer, { page: 1, size: 10 }, "en")).orders).toEqual([]);
  });

  it("is rejected while a refund is requested or pending", async () => {
    const buyer = await sale.createBuyer();
    const id = await sale.sell(buyer, await createTestPlan());
    const [line] = (await getTestOrder(buyer, id)).order_products;
    await requestRefund(buyer.viewer, { order_id: id, order_product_id: line!.order_product_id }, "en");
    expect(await checkDeletion(buyer, id)).toEqual(NOT_DELETABLE);
    const [request] = await db.execute<{ id: string }>(
      sql`select id from refund_requests where order_line_id = ${line!.order_product_id}`,
    );
    await decideRefundRequest(request!.id, { decision: "approved", by: "staff:mara" });
    expect(await checkDeletion(buyer, id)).toEqual(NOT_DELETABLE); // approved, but not yet sent to the provider
    await sale.runQueue();
    await sale.waitForEvents();
    await sale.runQueue();
    expect(await checkDeletion(buyer, id)).toEqual(DELETABLE);
  });
});
