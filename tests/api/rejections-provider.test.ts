import { afterAll, afterEach, beforeAll } from "vitest";
import { POST as removeCard } from "@/app/api/v1/auth/payment/delete/route";
import { POST as cancel } from "@/app/api/v1/order/cancel/route";
import { POST as changeCoupon } from "@/app/api/v1/order/coupon/route";
import { POST as updateStatus } from "@/app/api/v1/order/update-status/route";
import { POST as addCard } from "@/app/api/v1/payment/add/route";
import { POST as createIntent } from "@/app/api/v1/payment/stripe/create-payment-intent/route";
import { createProduct } from "@/db/factories/catalog";
import { ensureCustomer } from "@/lib/payments/cards/ensure-customer";
import * as sale from "@/tests/setup/sale";
import { clearSandboxFaults, failSandbox, type SandboxOperation } from "@/tests/setup/stripe-faults";
import {
  describeRejections,
  type RejectedRequest,
  type RejectionScenarios,
  recordChanges,
} from "./rejections";

let planId: number;
beforeAll(async () => {
  planId = (await createProduct({ plans: [{ keys: 40 }] })).plans[0]!.id;
});
recordChanges();
afterEach(clearSandboxFaults);
afterAll(sale.closeSale);

/** The provider returns an invalid response, which is not retried. */
function providerUnavailable(
  operation: SandboxOperation,
  createRequest: () => Promise<RejectedRequest>,
): RejectionScenarios {
  return {
    provider_unavailable: async () => {
      const request = await createRequest();
      failSandbox(operation, { when: "before", as: "junk" });
      return request;
    },
  };
}

async function createUnpaidOrder() {
  const user = await sale.createBuyer();
  return { user, order_id: await sale.orderPlan(user, planId) };
}
/** An order with an open payment at the provider. */
async function createRequestWithOpenPayment(more: object = {}): Promise<RejectedRequest> {
  const { user, order_id } = await createUnpaidOrder();
  await sale.openPayment(user, order_id);
  return { user, body: { order_id, ...more } };
}
async function createCustomer(): Promise<sale.Buyer> {
  const user = await sale.createBuyer();
  await ensureCustomer(user.id, null);
  return user;
}

describeRejections(
  "/order/cancel",
  cancel,
  providerUnavailable("retrieve_intent", createRequestWithOpenPayment),
);
// Without a code the order would lose its coupon, but for the payment that is open.
describeRejections(
  "/order/coupon",
  changeCoupon,
  providerUnavailable("retrieve_intent", createRequestWithOpenPayment),
);
describeRejections(
  "/order/update-status",
  updateStatus,
  providerUnavailable("retrieve_intent", () => createRequestWithOpenPayment({ status: "paid" })),
);
describeRejections(
  "/payment/stripe/create-payment-intent",
  createIntent,
  providerUnavailable("create_intent", async () => {
    const { user, order_id } = await createUnpaidOrder();
    // The payment and its claim are stored before the call to the provider (docs/reliability.md#calls-to-providers).
    return { user, body: { order_id }, intendedChanges: ["insert payments", "update payments"] };
  }),
);
describeRejections(
  "/payment/add",
  addCard,
  providerUnavailable("create_setup", async () => ({ user: await createCustomer(), body: {} })),
);
describeRejections(
  "/auth/payment/delete",
  removeCard,
  providerUnavailable("retrieve_card", async () => ({
    user: await createCustomer(),
    body: { payment_id: "pm_x" },
  })),
);
