import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { db } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { cancelOrder, hideOrder } from "@/lib/orders/cancellation/commands";
import { getOrder, listOrders } from "@/lib/orders/queries";
import { decideRefundRequest, requestRefund } from "@/lib/orders/refunds/commands-requests";
import { isShopError } from "@/lib/platform/errors";
import * as sale from "../setup/sale";

vi.setConfig({ testTimeout: 60_000 });
beforeAll(() => sale.receiveEventsHere());
afterAll(sale.endSale);

const planOf = async () => (await createProduct({ plans: [{ type: "month", keys: 3 }] })).plans[0]!.id;
const order = (who: sale.Buyer, id: string) => getOrder(who.viewer, id, "en");
/** Whether the list and the order's page offer Delete, and what the call then says. */
async function deletable(who: sale.Buyer, id: string) {
  const { orders } = await listOrders(who.viewer, { page: 1, size: 10 }, "en");
  const offered = [orders.find((one) => one.order_id === id)?.can_delete, (await order(who, id)).can_delete];
  const refusal = await hideOrder(who.viewer, { order_id: id }).then(
    () => null,
    (error: unknown) => (isShopError(error) ? error.error : String(error)),
  );
  return [...offered, refusal];
}
const NO = [false, false, "order_not_deletable"];
const YES = [true, true, null];

describe("an order leaves its owner's list", () => {
  it("not while it is open", async () => {
    const buyer = await sale.newBuyer();
    const id = await sale.orderOf(buyer, await planOf());
    expect(await deletable(buyer, id)).toEqual(NO);
    await cancelOrder(buyer.viewer, { order_id: id });
    expect(await deletable(buyer, id)).toEqual(YES);
    expect((await listOrders(buyer.viewer, { page: 1, size: 10 }, "en")).orders).toEqual([]);
  });

  it("not while a refund is asked for or on its way", async () => {
    const buyer = await sale.newBuyer();
    const id = await sale.sell(buyer, await planOf());
    const [line] = (await order(buyer, id)).order_products;
    await requestRefund(buyer.viewer, { order_id: id, order_product_id: line!.order_product_id }, "en");
    expect(await deletable(buyer, id)).toEqual(NO);
    const [request] = await db.execute<{ id: string }>(
      sql`select id from refund_requests where order_line_id = ${line!.order_product_id}`,
    );
    await decideRefundRequest(request!.id, { decision: "approved", by: "staff:mara" });
    expect(await deletable(buyer, id)).toEqual(NO); // granted, and not yet with the bank
    await sale.runQueue();
    await sale.eventsArrived();
    await sale.runQueue();
    expect(await deletable(buyer, id)).toEqual(YES);
  });
});
