import { sql } from "drizzle-orm";
import { afterEach, expect, it } from "vitest";
import { db } from "@/db/client";
import { createSinglePlan } from "@/db/factories/catalog";
import { createCoupon } from "@/db/factories/coupons";
import { createStaff } from "@/db/factories/staff";
import { giveGoodwill } from "@/lib/orders/console/give-goodwill";
import { chooseDelivery } from "@/lib/orders/delivery-options/choose-delivery";
import { requestRefund } from "@/lib/orders/refunds/request-refund";
import { setTaxBusiness } from "@/lib/orders/tax/set-tax-business";
import { audit } from "@/lib/platform/audit";
import { env } from "@/lib/platform/env";
import { confirmSandboxIntent } from "@/lib/platform/stripe/sandbox/confirm";
import { listApprovals } from "@/lib/staff/approvals/list-approvals";
import { exportList } from "@/lib/staff/exports/export-list";
import { getErrorName } from "../setup/error-name";
import { findFirstLine } from "../setup/refunds";
import * as sale from "../setup/sale";
import { registerSaleHooks } from "../setup/sale-hooks";
import { runAsCall } from "../setup/second-person";
import { seenLine } from "../setup/seen";

const { TAX_COUNTRY, TAX_IDS, TAX_PRICES } = env();
afterEach(() => {
  Object.assign(env(), { TAX_COUNTRY, TAX_IDS, TAX_PRICES });
});
registerSaleHooks({ runJobs: true });

/** The rows of an export of orders, by the names of its columns. */
async function exportOrders(filters: Record<string, string>): Promise<Record<string, string>[]> {
  const { viewer } = await createStaff({ roles: ["finance"] });
  const stream = await exportList(viewer, { list: "orders", filters }, "en");
  const text = (await new Response(stream).text()).replace(/^\ufeff/, "");
  const [names, ...rows] = text
    .trimEnd()
    .split("\r\n")
    .map((line) => line.split(","));
  return rows.map((row) => Object.fromEntries(names!.map((name, i) => [name, row[i] ?? ""])));
}

it("an export of orders has what finance needs: currency, discount and coupon, paid, refunded, payment", async () => {
  const buyer = await sale.createBuyer();
  const { id: planId } = await createSinglePlan({ type: "month", priceCents: 2_000, keys: 3 });
  const coupon = await createCoupon({ userId: buyer.id });
  const paid = await sale.sell(buyer, planId, 1, coupon);
  await sale.runQueue();
  const goodwill = {
    order_product_id: await findFirstLine(paid),
    amount: 4.5,
    refunded_amount: 0,
    reason: "late answer",
    ...(await seenLine(paid)),
  };
  await giveGoodwill((await createStaff({ roles: ["support"] })).viewer, paid, goodwill, "en");
  const unpaid = await sale.orderPlan(buyer, planId);
  const rows = await exportOrders({ customer_id: buyer.id });
  const [order] = await db.execute<{ number: string; payment: string; paid: string }>(sql`
    select order_number as number, transaction_id as payment,
      to_char(paid_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as paid from orders where id = ${paid}`);
  expect(rows.find((row) => row.order_id === paid)).toMatchObject({
    order_number: order!.number,
    paid_at: order!.paid,
    final_amount: "15",
    currency: "usd",
    discount_amount: "5",
    coupon_code: coupon,
    paid_amount: "15",
    refunded_amount: "4.5",
    payment_id: order!.payment,
  });
  expect(rows.find((row) => row.order_id === unpaid)).toMatchObject({
    paid_at: "",
    final_amount: "20",
    currency: "usd",
    discount_amount: "0",
    coupon_code: "",
    paid_amount: "0",
    refunded_amount: "0",
    payment_id: "",
  });
});

it("an export of orders adds up where tax is added to prices, where it is taken off them, and after a refund", async () => {
  const buyer = await sale.createBuyer();
  const { id: planId } = await createSinglePlan({ type: "month", priceCents: 2_000, keys: 3 });
  const settings = { TAX_COUNTRY: "IE", TAX_IDS: { IE: "IE0000000X" } };
  const payWithCardOf = async (country: string, order_id: string) => {
    const payment = await sale.openPayment(buyer, order_id, { immediate_delivery: false });
    await confirmSandboxIntent(payment.clientSecret, "succeeded", `card_${country}`);
    await sale.waitForEvents();
    await sale.runQueue({ mails: false });
  };
  const rowOf = async (id: string) =>
    (await exportOrders({ customer_id: buyer.id })).find((row) => row.order_id === id)!;

  Object.assign(env(), { ...settings, TAX_PRICES: "added" });
  const added = await sale.orderPlan(buyer, planId, 1, await createCoupon({ userId: buyer.id }));
  await chooseDelivery(buyer.viewer, { order_id: added, country: "DE" });
  const sums = {
    subtotal: "20",
    discount_amount: "5",
    added_tax: "2.85",
    added_tax_percent: "19",
    final_amount: "17.85",
  };
  expect(await rowOf(added)).toMatchObject({ ...sums, tax_country: "", tax_amount: "0" });
  await payWithCardOf("DE", added);
  const paid = { ...sums, paid_amount: "17.85", tax_country: "DE" };
  expect(await rowOf(added)).toMatchObject({ ...paid, tax_amount: "2.85", refunded_amount: "0" });
  const line = { order_id: added, order_product_id: await findFirstLine(added) };
  await requestRefund(buyer.viewer, line, "en");
  await sale.waitForEvents();
  await sale.runQueue({ mails: false });
  expect(await rowOf(added)).toMatchObject({ ...paid, tax_amount: "0", refunded_amount: "17.85" });

  Object.assign(env(), { ...settings, TAX_PRICES: "included" });
  const taken = await sale.orderPlan(buyer, planId);
  const business = { vat_id: "NL004495445B01", company: "Voorbeeld BV", address: "Damrak 1" };
  await setTaxBusiness(buyer.viewer, { order_id: taken, business });
  await payWithCardOf("NL", taken);
  expect(await rowOf(taken)).toMatchObject({
    subtotal: "20",
    discount_amount: "0",
    added_tax: "-3.47",
    added_tax_percent: "21",
    final_amount: "16.53",
    paid_amount: "16.53",
    tax_country: "NL",
    tax_amount: "0",
  });
});

it("an export is put before a second person with all of its filters, however long they are", async () => {
  const [asking, second] = [
    await createStaff({ roles: ["finance"] }),
    await createStaff({ roles: ["finance"] }),
  ];
  const exported = { actor: asking.id, action: "list.exported", subject: "orders" } as const;
  await audit({ ...exported, detail: { rows: 10_001 } });
  const filters = { came_from: "s".repeat(200), customer_id: "u".repeat(64), vendor: "v".repeat(120) };
  const exporting = runAsCall(asking.viewer, () =>
    exportList(asking.viewer, { list: "orders", filters }, "en"),
  );
  expect(await getErrorName(exporting)).toBe("approval_required");
  const [asked] = (await listApprovals(second.viewer, "open")).items;
  expect(asked!.subject).toBe(
    `orders came_from=${filters.came_from} customer_id=${filters.customer_id} vendor=${filters.vendor}`,
  );
});

it("an export of orders escapes a coupon code that a spreadsheet would run", async () => {
  const buyer = await sale.createBuyer();
  const { id: planId } = await createSinglePlan({ type: "month", priceCents: 2_000, keys: 1 });
  const coupon = await createCoupon({ userId: buyer.id });
  const orderId = await sale.orderPlan(buyer, planId, 1, coupon);
  await db.execute(sql`update coupons set code = ${"=1+1"} where code = ${coupon}`);
  const [row] = await exportOrders({ number: orderId });
  expect(row).toMatchObject({ order_id: orderId, coupon_code: "'=1+1" });
});
