import { afterAll, expect, it } from "vitest";
import { closeDatabase } from "@/db/client";
import { createSinglePlan } from "@/db/factories/catalog";
import { createCartLine } from "@/db/factories/orders";
import { getOrder } from "@/lib/orders/find-order";
import { placeOrder } from "@/lib/orders/placing/place-order";
import * as sale from "../setup/sale";
import { registerSaleHooks } from "../setup/sale-hooks";
import { runStaffCommand } from "../setup/staff";

registerSaleHooks({ runJobs: true });
afterAll(closeDatabase);

it("the staff command refunds a paid order as the provider's dashboard does, and lets the bank return the refund", async () => {
  const buyer = await sale.createBuyer();
  const cart = await createCartLine(buyer.id, (await createSinglePlan({ type: "month", keys: 2 })).id);
  const { order_id: orderId } = await placeOrder(buyer.viewer, { cart_record_ids: [cart] }, "en");
  expect(await runStaffCommand("payments", "refund", orderId)).toMatchObject({ code: 1 });
  await sale.pay(buyer, orderId, "succeeded");
  await sale.processEvents();
  expect(await runStaffCommand("payments", "refund", orderId, "--dollars", "many")).toMatchObject({
    code: 1,
  });
  expect(await runStaffCommand("payments", "refund", orderId, "--dollars", "1.000")).toMatchObject({
    code: 1,
    output: expect.stringContaining('"1.000" is not an amount in dollars'),
  });
  // Read as a thousand, which is more than was paid, and not as one.
  expect(await runStaffCommand("payments", "refund", orderId, "--dollars", "1,000")).toMatchObject({
    code: 1,
    output: expect.not.stringContaining("is not an amount"),
  });
  const refunded = await runStaffCommand("payments", "refund", orderId);
  expect(refunded).toMatchObject({ code: 0, output: expect.stringContaining("is refunded by re_") });
  await sale.processEvents();
  expect(await getOrder(buyer.viewer, orderId, "en")).toMatchObject({ status: "refunded" });
  expect(await runStaffCommand("payments", "fail", "re_missing")).toMatchObject({ code: 1 });
  const [refundId] = /re_\w+/.exec(refunded.output)!;
  expect(await runStaffCommand("payments", "fail", refundId)).toMatchObject({ code: 0 });
});
