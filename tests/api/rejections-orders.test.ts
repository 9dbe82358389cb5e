import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { POST as cancel } from "@/app/api/v1/order/cancel/route";
import { POST as create } from "@/app/api/v1/order/create/route";
import { POST as deleteOrder } from "@/app/api/v1/order/delete/route";
import { POST as payNothing } from "@/app/api/v1/order/free-payment/route";
import { POST as saveGift } from "@/app/api/v1/order/gift/save/route";
import { POST as updateEmail } from "@/app/api/v1/order/update/email/route";
import { POST as chooseDelivery } from "@/app/api/v1/order/update-delivery/route";
import { POST as updateStatus } from "@/app/api/v1/order/update-status/route";
import { POST as withdraw } from "@/app/api/v1/order/withdraw/route";
import { POST as createIntent } from "@/app/api/v1/payment/stripe/create-payment-intent/route";
import { POST as joinWaitList } from "@/app/api/v1/wait-list/create/route";
import { db, pool } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { createCoupon } from "@/db/factories/coupons";
import { createCartLine, createOrder, type OrderInput } from "@/db/factories/orders";
import { CODE_TRIES } from "@/lib/accounts/rules";
import { deriveVerificationCode } from "@/lib/accounts/verification/find-verification-mail";
import { sendWithdrawalCode } from "@/lib/accounts/verification/send-verification-code";
import { quoteCart } from "@/lib/cart/get-cart";
import { cancelOrder } from "@/lib/orders/cancellation/cancel-order";
import type { OrderOrigin } from "@/lib/orders/placing/check-hold-limits";
import { placeOrder } from "@/lib/orders/placing/place-order";
import { UNREVEALED_RETURNS_MAX } from "@/lib/orders/returns/rules";
import {
  EXEMPTION_ENDS_AFTER,
  FURTHER_UNITS_PER_ADDRESS,
  PAUSE_AFTER_ORDERS,
  UNPAID_ORDERS_MAX,
  UNVERIFIED_UNITS_MAX,
} from "@/lib/orders/rules";
import { newId } from "@/lib/platform/crypto/ids";
import { env } from "@/lib/platform/env";
import type { Locale } from "@/lib/platform/i18n/locales";
import { formatPrice, toCents } from "@/lib/platform/money";
import { clientAddress } from "@/tests/setup/client-address";
import * as sale from "@/tests/setup/sale";
import { createEmailAtCodeLimit, uniqueEmail } from "./account-steps";
import { CODE_MAILED } from "./all-calls";
import { call } from "./call";
import {
  createUserWithClaim,
  describeRejections,
  type RejectedRequest,
  type RejectionScenarios,
  recordChanges,
} from "./rejections";

let plainPlanId: number;
let limitedPlanId: number;
let freePlanId: number;
let soldOutPlanId: number;
let manyKeysPlanId: number;
beforeAll(async () => {
  const { plans } = await createProduct({
    plans: [
      { keys: 40 },
      { type: "month", keys: 9, purchaseLimit: 1 },
      { type: "day", keys: 9, priceCents: 0 },
      { type: "week", days: 8 },
      { type: "month", days: 31, keys: 400 },
    ],
  });
  [plainPlanId, limitedPlanId, freePlanId, soldOutPlanId, manyKeysPlanId] = plans.map(({ id }) => id) as [
    number,
    number,
    number,
    number,
    number,
  ];
});
recordChanges();
afterAll(sale.closeSale);

const createUnverifiedBuyer = () => sale.createBuyer({ verified: false });
/** Rejections of an email address that the user chooses for codes or notifications. */
function emailScenarios(
  createBody: (user: sale.Buyer, email: string) => Promise<object>,
): RejectionScenarios {
  const request = async (user: sale.Buyer, email: string) => ({ user, body: await createBody(user, email) });
  return {
    delivery_email_unverified: async () => ({
      ...(await request(await sale.createBuyer(), uniqueEmail())),
      intendedChanges: CODE_MAILED,
    }),
    email_unverified: async () => request(await createUnverifiedBuyer(), uniqueEmail()),
    too_many_codes: async () => request(await sale.createBuyer(), await createEmailAtCodeLimit()),
  };
}

async function createCartRequest(
  planId: number,
  user?: sale.Buyer,
  quantity = 1,
): Promise<RejectedRequest & { user: sale.Buyer }> {
  const buyer = user ?? (await sale.createBuyer());
  await createCartLine(buyer.id, planId, { quantity });
  return { user: buyer, body: {} };
}
async function order(user: sale.Buyer, planId: number, quantity = 1, origin: OrderOrigin = {}) {
  const line = await createCartLine(user.id, planId, { quantity });
  return (await placeOrder(user.viewer, { cart_record_ids: [line] }, "en", origin)).order_id;
}
/** Sets the lock timeout of every pooled connection, ten seconds by default. */
async function setLockTimeout(timeout: string): Promise<void> {
  const connections = await Promise.all(Array.from({ length: env().DATABASE_POOL }, () => pool().reserve()));
  for (const one of connections) await one`select set_config('lock_timeout', ${timeout}, false)`;
  for (const one of connections) one.release();
}
/** An order request while another transaction locks the buyer's row until the lock timeout. */
async function createRequestForLockedBuyer(): Promise<RejectedRequest> {
  await setLockTimeout("200ms");
  const request = await createCartRequest(plainPlanId);
  const [lockTaken, releaseLock] = [createSignal(), createSignal()];
  const otherTransaction = pool().begin(async (tx) => {
    await tx`select 1 from users where id = ${request.user.id} for update`;
    lockTaken.give();
    await releaseLock.given;
  });
  releaseBuyer = async () => {
    releaseLock.give();
    await otherTransaction;
  };
  await lockTaken.given;
  return request;
}
function createSignal() {
  let send = () => {};
  const received = new Promise<void>((resolve) => {
    send = resolve;
  });
  return { give: send, given: received };
}
let releaseBuyer = async () => {};
afterEach(() => releaseBuyer());

describeRejections("/order/create", create, {
  nothing_selected: async () => ({ user: await sale.createBuyer(), body: {} }),
  sold_out: () => createCartRequest(soldOutPlanId),
  purchase_limit: async () => ({
    ...(await createCartRequest(limitedPlanId, await createUserWithClaim(limitedPlanId))),
    params: () => ({ limit: 1 }),
  }),
  ...emailScenarios(async (user, send_email) => {
    await createCartLine(user.id, plainPlanId);
    return { send_email };
  }),
  holds_full: async () => {
    const user = await sale.createBuyer();
    for (let n = 0; n < UNPAID_ORDERS_MAX; n++) await order(user, manyKeysPlanId);
    return createCartRequest(manyKeysPlanId, user);
  },
  holds_unverified: async () => {
    const user = await createUnverifiedBuyer();
    await order(user, manyKeysPlanId, UNVERIFIED_UNITS_MAX);
    return {
      ...(await createCartRequest(manyKeysPlanId, user)),
      params: () => ({ limit: UNVERIFIED_UNITS_MAX }),
    };
  },
  holds_shared: async () => {
    const ip = clientAddress();
    for (let units = 0; units < FURTHER_UNITS_PER_ADDRESS; units += UNVERIFIED_UNITS_MAX) {
      await order(await createUnverifiedBuyer(), manyKeysPlanId, UNVERIFIED_UNITS_MAX, { ip });
    }
    return { ...(await createCartRequest(manyKeysPlanId, await createUnverifiedBuyer())), ip };
  },
  holds_paused: async () => {
    const user = await createUnverifiedBuyer();
    for (let n = 0; n < PAUSE_AFTER_ORDERS; n++)
      await cancelOrder(user.viewer, { order_id: await order(user, manyKeysPlanId) });
    return createCartRequest(manyKeysPlanId, user);
  },
  stock_held: async () => {
    const { plans } = await createProduct({ plans: [{ keys: 4 }] });
    const user = await sale.createBuyer();
    await order(user, plans[0]!.id, 2);
    return createCartRequest(plans[0]!.id, user);
  },
  exemption_ended: async () => {
    const { plans } = await createProduct({ plans: [{ keys: 1 }, { type: "month", keys: 4 }] });
    const user = await sale.createBuyer();
    for (let n = 0; n < EXEMPTION_ENDS_AFTER; n++)
      await cancelOrder(user.viewer, { order_id: await order(user, plans[0]!.id) });
    return createCartRequest(plans[1]!.id, user, 3);
  },
  first_order_open: async () => {
    const request = await createCartRequest(plainPlanId);
    const { id } = await createOrder(request.user, plainPlanId);
    const code = await createCoupon({ firstOrderOnly: true, userId: request.user.id });
    await db.execute(sql`update coupons set state = 'reserved', order_id = ${id} where code = ${code}`);
    return request;
  },
  total_changed: async () => {
    const { user } = await createCartRequest(plainPlanId);
    const { final_amount } = await quoteCart(user.viewer, {}, "en");
    const params = (locale: Locale) => ({
      total: formatPrice(toCents(final_amount), locale),
      expected: formatPrice(1, locale),
    });
    return { user, body: { expected_total: 0.01 }, params };
  },
  email_invalid: async () => ({ user: await sale.createBuyer(), body: { send_email: "no address" } }),
  unavailable: createRequestForLockedBuyer,
});

async function createOrderRequest(
  planId: number,
  received?: OrderInput,
  more: object = {},
  user?: sale.Buyer,
) {
  const buyer = user ?? (await sale.createBuyer());
  const { id } = await createOrder(buyer, planId, received);
  return { user: buyer, body: { order_id: id, ...more } };
}

/** A buyer's open order that asks for unseen codes, after the buyer has given back as many as the shop takes in a week. */
async function createReturnersRequest(planId: number, more: object = { immediate_delivery: false }) {
  const request = await createOrderRequest(planId, {}, more);
  const { id } = await createOrder(request.user, plainPlanId, { status: "refunded" });
  await db.execute(sql`
    insert into returned_keys (key_id, order_line_id, slot, assigned_at)
    select (select min(k.id) from keys k), l.id, n, shop_now() from order_lines l cross join generate_series(1, ${UNREVEALED_RETURNS_MAX}) n
    where l.order_id = ${id}`);
  return request;
}

describeRejections("/order/cancel", cancel, {
  order_not_cancellable: () => createOrderRequest(plainPlanId, { status: "completed" }),
});

describeRejections("/order/update-status", updateStatus, {
  order_not_cancellable: () =>
    createOrderRequest(plainPlanId, { status: "completed" }, { status: "cancelled" }),
});

it("/order/delete hides a cancelled order", async () => {
  const { user, body } = await createOrderRequest(plainPlanId, { status: "cancelled" });
  const response = await call(deleteOrder, "/order/delete", {
    body,
    headers: { authorization: user.bearer },
  });
  expect([response.status, response.body.data]).toEqual([200, { order_id: body.order_id }]);
});

describeRejections("/order/free-payment", payNothing, {
  free_payment_not_zero: () => createOrderRequest(plainPlanId),
  amount_differs: () => createOrderRequest(freePlanId, {}, { final_amount: 10 }),
  order_not_payable: () => createOrderRequest(freePlanId, { holdMinutes: -1 }),
  email_unverified: async () => createOrderRequest(freePlanId, {}, {}, await createUnverifiedBuyer()),
  unrevealed_returns: () => createReturnersRequest(freePlanId),
});

describeRejections("/payment/stripe/create-payment-intent", createIntent, {
  unrevealed_returns: () => createReturnersRequest(plainPlanId),
});

describeRejections("/order/gift/save", saveGift, {
  gift_from_free: () =>
    createOrderRequest(freePlanId, {}, { recipient_email: uniqueEmail(), from_name: "Mara" }),
  unrevealed_returns: () => createReturnersRequest(plainPlanId, { recipient_email: uniqueEmail() }),
});

describeRejections("/order/update-delivery", chooseDelivery, {
  delivery_order_cancelled: () =>
    createOrderRequest(plainPlanId, { status: "cancelled" }, { immediate_delivery: true }),
  unrevealed_returns: () => createReturnersRequest(plainPlanId),
});

describeRejections("/order/update/email", updateEmail, {
  ...emailScenarios(async (user, send_email) => ({
    order_id: (await createOrder(user, plainPlanId)).id,
    send_email,
  })),
  delivery_frozen: async () => {
    const request = await createOrderRequest(plainPlanId, { status: "completed" });
    const email = uniqueEmail();
    await db.execute(sql`insert into verified_emails (user_id, email) values (${request.user.id}, ${email})`);
    return { ...request, body: { ...request.body, send_email: email } };
  },
  delivery_order_cancelled: async () => {
    const request = await createOrderRequest(plainPlanId, { status: "cancelled" });
    return { ...request, body: { ...request.body, send_email: request.user.email } };
  },
});

describeRejections("/wait-list/create", joinWaitList, {
  plan_in_stock: async () => ({ user: await sale.createBuyer(), body: { vip_id: plainPlanId } }),
  ...emailScenarios(async (_, email) => ({ vip_id: soldOutPlanId, email })),
});

it("/wait-list/create accepts a sold-out plan", async () => {
  const user = await sale.createBuyer();
  const response = await call(joinWaitList, "/wait-list/create", {
    body: { vip_id: soldOutPlanId },
    headers: { authorization: user.bearer },
  });
  expect([response.status, response.body.success]).toEqual([200, true]);
});

/** A withdrawal by the order's email address, with the code that was emailed for it. */
async function createWithdrawal() {
  const { user, body } = await createOrderRequest(plainPlanId, { status: "completed" });
  await sendWithdrawalCode(user.email, "en", "203.0.113.7", async () => true);
  const [row] = await db.execute<{ id: string }>(
    sql`select id from verification_codes where email = ${user.email} and purpose = 'withdraw'`,
  );
  return { id: row!.id, body: { ...body, email: user.email } };
}
describeRejections("/order/withdraw", withdraw, {
  email_invalid: async () => ({ body: { order_id: newId("ord"), email: "no address" } }),
  country_invalid: async () => ({ body: { order_id: newId("ord"), country: "QQ" } }),
  code_expired: async () => {
    const { id, body } = await createWithdrawal();
    await db.execute(sql`update verification_codes set expires_at = shop_now() where id = ${id}`);
    return { body: { ...body, code: deriveVerificationCode(id) } };
  },
  code_used_up: async () => {
    const { id, body } = await createWithdrawal();
    await db.execute(sql`update verification_codes set tries = ${CODE_TRIES} where id = ${id}`);
    return { body: { ...body, code: deriveVerificationCode(id) } };
  },
  code_just_sent: async () => ({ body: (await createWithdrawal()).body }),
  too_many_codes: async () => ({ body: { order_id: newId("ord"), email: await createEmailAtCodeLimit() } }),
});
