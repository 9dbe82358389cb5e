import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { db } from "@/db/client";
import { createProduct, createSinglePlan } from "@/db/factories/catalog";
import { createCoupon } from "@/db/factories/coupons";
import { createCartLine } from "@/db/factories/orders";
import { getCart } from "@/lib/cart/get-cart";
import {
  orderExpiringMail,
  orderPlacedMail,
  paymentFailedMail,
} from "@/lib/orders/emails/unpaid-order-mails";
import { getOrder } from "@/lib/orders/find-order";
import { placeOrder } from "@/lib/orders/placing/place-order";
import { lineCents, lineSums } from "@/lib/orders/rules";
import { toCents } from "@/lib/platform/money";
import * as sale from "../setup/sale";

beforeAll(() => sale.receiveEventsInProcess());
afterAll(sale.closeSale);

/** Three lines and a coupon of 33%, so that no line's share is a whole number of cents. */
async function createDiscountedOrder() {
  const buyer = await sale.createBuyer();
  const code = await createCoupon({ percent: 33 });
  const lines: string[] = [];
  for (const [priceCents, quantity] of [
    [499, 2],
    [1999, 1],
    [701, 1],
  ] as const) {
    const plan = await createSinglePlan({ keys: 3, priceCents });
    lines.push(await createCartLine(buyer.id, plan.id, { quantity }));
  }
  const placed = await placeOrder(buyer.viewer, { cart_record_ids: lines, coupon_code: code }, "en");
  return { buyer, orderId: placed.order_id };
}

const total = (amounts: number[]) => amounts.reduce((sum, cents) => sum + cents, 0);

it("each line shows the price per day before the discount, as the cart does", async () => {
  const buyer = await sale.createBuyer();
  const code = await createCoupon({ percent: 33 });
  const product = await createProduct({
    plans: [
      { keys: 3, priceCents: 1490, type: "week" },
      { keys: 1, priceCents: 9900, type: "lifetime" },
    ],
  });
  const [week, lifetime] = product.plans;
  const lines = [
    await createCartLine(buyer.id, week!.id, { quantity: 2 }),
    await createCartLine(buyer.id, lifetime!.id),
  ];
  const cart = await getCart(buyer.viewer, "en");
  const placed = await placeOrder(buyer.viewer, { cart_record_ids: lines, coupon_code: code }, "en");
  const order = await getOrder(buyer.viewer, placed.order_id, "en");
  expect(order.order_products.map((line) => line.price_per_day)).toEqual([2.13, null]);
  expect(cart.cart_items.map((item) => item.price_per_day)).toEqual([2.13, null]);
});

describe("an order with a discount", () => {
  it("lists lines before the discount that add up to the total with it", async () => {
    const { buyer, orderId } = await createDiscountedOrder();
    const order = await getOrder(buyer.viewer, orderId, "en");
    expect(order.discount_amount).toBeGreaterThan(0);
    const lineTotal = total(order.order_products.map(lineCents));
    expect(lineTotal).toBe(toCents(order.subtotal));
    expect(lineTotal - toCents(order.discount_amount)).toBe(toCents(order.final_amount));
    // The amount paid for each line, which a refund returns, is shown with its parts.
    for (const line of order.order_products) {
      const { price, discount, paid, refunded } = lineSums(line);
      expect({ price, paid, refunded }).toEqual({
        price: lineCents(line),
        paid: price - discount,
        refunded: 0,
      });
      expect(discount).toBeGreaterThan(0);
      expect(paid).toBe(toCents(line.total));
    }
    expect(total(order.order_products.map((line) => lineSums(line).discount))).toBe(
      toCents(order.discount_amount),
    );
    expect(total(order.order_products.map((line) => toCents(line.total)))).toBe(toCents(order.final_amount));
  });

  it("refunds the price minus the discount and earlier refunds", async () => {
    const buyer = await sale.createBuyer();
    const code = await createCoupon({ percent: 33 });
    const plan = await createSinglePlan({ type: "month", keys: 2, priceCents: 2999 });
    const orderId = await sale.sell(buyer, plan.id, 2, code);
    const getRefundParts = async () => {
      const line = (await getOrder(buyer.viewer, orderId, "en")).order_products[0]!;
      const { price, discount, refunded } = lineSums(line);
      return {
        parts: [price, discount, refunded],
        offered: toCents(line.refund.amount),
        expected: price - discount - refunded,
      };
    };
    expect(await getRefundParts()).toEqual({ parts: [5998, 1979, 0], offered: 4019, expected: 4019 });
    await db.execute(
      sql`with line as (update order_lines set refunded_quantity = 1, refunded_cents = 2010
        where order_id = ${orderId} returning id)
        update keys set state = 'revoked' from line where order_line_id = line.id and slot = 1`,
    );
    expect(await getRefundParts()).toEqual({ parts: [5998, 1979, 2010], offered: 2009, expected: 2009 });
  });

  it("has the same sums in its mails", async () => {
    const { orderId } = await createDiscountedOrder();
    for (const mail of [orderPlacedMail, orderExpiringMail, paymentFailedMail]) {
      const props = await mail(orderId, "en");
      const lineTotal = total(props!.lines.map((line) => line.totalCents));
      expect(lineTotal).toBe(props!.subtotalCents);
      expect(lineTotal - props!.discountCents).toBe(props!.totalCents);
    }
  });
});
