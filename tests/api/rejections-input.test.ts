import { afterAll, beforeAll, expect, it } from "vitest";
import { POST as setRoles } from "@/app/api/v1/admin/staff/route";
import { POST as sendCoupon } from "@/app/api/v1/auth/coupon/send/route";
import { POST as deleteAccount } from "@/app/api/v1/auth/delete/route";
import { POST as updateAccountEmail } from "@/app/api/v1/auth/email/update/route";
import { POST as login } from "@/app/api/v1/auth/login/email/route";
import { POST as registerDirectly } from "@/app/api/v1/auth/register/direct/route";
import { POST as resetPassword } from "@/app/api/v1/auth/reset-password/route";
import { POST as sendCode } from "@/app/api/v1/auth/send-verification-code/route";
import { POST as verifyResetCode } from "@/app/api/v1/auth/verify-reset-code/route";
import { POST as registerBusiness } from "@/app/api/v1/business/register/route";
import { POST as autoAdd } from "@/app/api/v1/cart/auto-add/route";
import { GET as listCart } from "@/app/api/v1/cart/list/route";
import { POST as createReview } from "@/app/api/v1/comment/create/route";
import { POST as contact } from "@/app/api/v1/contact/create/route";
import { GET as listOrders } from "@/app/api/v1/order/list/user/route";
import { POST as updateEmail } from "@/app/api/v1/order/update/email/route";
import { POST as confirmPayment } from "@/app/api/v1/payment/sandbox/confirm/route";
import { POST as subscribe } from "@/app/api/v1/subscription/create/route";
import { POST as unsubscribe } from "@/app/api/v1/subscription/unsubscribe/route";
import { POST as joinWaitList } from "@/app/api/v1/wait-list/create/route";
import { createProduct } from "@/db/factories/catalog";
import { createCampaign } from "@/db/factories/coupons";
import { createOrder } from "@/db/factories/orders";
import { createStaff, endAllMemberships } from "@/db/factories/staff";
import * as sale from "@/tests/setup/sale";
import { uniqueEmail } from "./account-steps";
import { CODE_MAILED } from "./all-calls";
import { authHeaders, call } from "./call";
import { describeRejections, recordChanges } from "./rejections";

let productId: number;
let planId: number;
beforeAll(async () => {
  const { id, plans } = await createProduct({ plans: [{ keys: 40 }] });
  [productId, planId] = [id, plans[0]!.id];
});
recordChanges();
afterAll(sale.closeSale);

const INVALID_EMAIL = "no address";
const PASSWORD = "correct horse battery";

describeRejections("/auth/login/email", login, {
  email_invalid: async () => ({ body: { user_email: INVALID_EMAIL, user_password: PASSWORD } }),
});

describeRejections("/auth/register/direct", registerDirectly, {
  email_invalid: async () => ({ body: { user_email: INVALID_EMAIL, user_password: PASSWORD } }),
  under_age: async () => ({
    body: { user_email: uniqueEmail(), user_password: PASSWORD, age_group: "under_13" },
  }),
});

const verification = { verification_id: "vc_none", verification_code: "123456" };
describeRejections("/auth/email/update", updateAccountEmail, {
  email_invalid: async () => ({
    user: await sale.createBuyer(),
    body: { new_email: INVALID_EMAIL, ...verification },
  }),
});

describeRejections("/auth/reset-password", resetPassword, {
  email_invalid: async () => ({
    body: { email: INVALID_EMAIL, new_password: PASSWORD, ...verification },
  }),
});

describeRejections("/contact/create", contact, {
  email_invalid: async () => ({ body: { email: INVALID_EMAIL, message: "My code is not accepted." } }),
});

describeRejections("/subscription/unsubscribe", unsubscribe, {
  email_invalid: async () => ({ body: { email: INVALID_EMAIL } }),
});

describeRejections("/auth/delete", deleteAccount, {
  last_admin: async () => {
    await endAllMemberships();
    const user = await createStaff();
    return { user, body: { confirm: user.email } };
  },
  email_invalid: async () => ({ user: await sale.createBuyer(), body: { confirm: INVALID_EMAIL } }),
  account_in_use: async () => {
    const user = await sale.createBuyer();
    await createOrder(user, planId);
    return { user, body: { confirm: user.email } };
  },
});

describeRejections("/auth/coupon/send", sendCoupon, {
  delivery_email_unverified: async () => ({
    user: await sale.createBuyer(),
    body: { campaign: await createCampaign(), email: uniqueEmail() },
    intendedChanges: CODE_MAILED,
  }),
});

const application = () => ({
  email: uniqueEmail(),
  productUrl: "https://vendor.example/app",
  phoneNum: "+1 415 555 2671",
});
describeRejections("/business/register", registerBusiness, {
  product_url_invalid: async () => ({ body: { ...application(), productUrl: "" } }),
  phone_invalid: async () => ({ body: { ...application(), phoneNum: "" } }),
  application_exists: async () => {
    const body = application();
    await call(registerBusiness, "/business/register", { body });
    return { body };
  },
});

describeRejections("/comment/create", createReview, {
  review_title_missing: async () => ({
    user: await sale.createBuyer(),
    body: { product_id: productId, order_id: "ord_none", rating: 5, title: " ", content: "Good." },
  }),
});

describeRejections("/order/update/email", updateEmail, {
  email_invalid: async () => {
    const user = await sale.createBuyer();
    const { id } = await createOrder(user, planId);
    return { user, body: { order_id: id, send_email: INVALID_EMAIL } };
  },
});

describeRejections("/wait-list/create", joinWaitList, {
  email_invalid: async () => ({
    user: await sale.createBuyer(),
    body: { vip_id: planId, email: INVALID_EMAIL },
  }),
});

describeRejections("/payment/sandbox/confirm", confirmPayment, {
  payment_method_unknown: async () => {
    const user = await sale.createBuyer();
    const payment = await sale.openPayment(user, await sale.orderPlan(user, planId));
    return {
      user,
      body: { client_secret: payment.clientSecret, outcome: "succeeded", payment_method: "pm_unknown" },
    };
  },
});

it("an invalid address is refused, with the name of its field", async () => {
  const headers = authHeaders(await createStaff());
  const refused = [
    await call(sendCode, "/auth/send-verification-code", {
      body: { email: INVALID_EMAIL, verification_type: "register" },
    }),
    await call(verifyResetCode, "/auth/verify-reset-code", {
      body: { email: INVALID_EMAIL, verification_code: "123456" },
    }),
    await call(registerBusiness, "/business/register", { body: { ...application(), email: INVALID_EMAIL } }),
    await call(subscribe, "/subscription/create", { body: { email: INVALID_EMAIL } }),
    await call(setRoles, "/admin/staff", { body: { email: INVALID_EMAIL, roles: ["support"] }, headers }),
  ];
  for (const { body } of refused)
    expect(body).toMatchObject({ code: "40000", errors: [{ path: "email", message: expect.any(String) }] });
});

it("a user's cart and orders list what earlier calls have created", async () => {
  const user = await sale.createBuyer();
  const headers = { authorization: user.bearer };
  await createOrder(user, planId);
  const added = await call(autoAdd, "/cart/auto-add", { body: { product_id: productId }, headers });
  const cart = await call(listCart, "/cart/list", { headers });
  const orders = await call(listOrders, "/order/list/user", { headers });
  expect([added.status, cart.body.data.cart_items.length, orders.body.data.orders.length]).toEqual([
    200, 1, 1,
  ]);
});
