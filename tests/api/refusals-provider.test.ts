import { afterAll, afterEach, beforeAll } from "vitest";
import { POST as removeCard } from "@/app/api/v1/auth/payment/delete/route";
import { POST as cancel } from "@/app/api/v1/order/cancel/route";
import { POST as updateStatus } from "@/app/api/v1/order/update-status/route";
import { POST as addCard } from "@/app/api/v1/payment/add/route";
import { POST as createIntent } from "@/app/api/v1/payment/stripe/create-payment-intent/route";
import { createProduct } from "@/db/factories/catalog";
import { ensureCustomer } from "@/lib/payments/cards/commands";
import * as sale from "../setup/sale";
import { clearSandboxFaults, failSandbox, type SandboxOperation } from "../setup/stripe-faults";
import { noteChanges, type Refused, refusals, type Ways } from "./refused";

let planId: number;
beforeAll(async () => {
  planId = (await createProduct({ plans: [{ keys: 40 }] })).plans[0]!.id;
});
noteChanges();
afterEach(clearSandboxFaults);
afterAll(sale.endSale);

/** The provider answers nonsense, which nobody asks for again. */
function without(operation: SandboxOperation, world: () => Promise<Refused>): Ways {
  return {
    provider_unavailable: async () => {
      const made = await world();
      failSandbox(operation, { when: "before", as: "junk" });
      return made;
    },
  };
}

async function ordered() {
  const who = await sale.newBuyer();
  return { who, order_id: await sale.orderOf(who, planId) };
}
/** An order whose payment is open at the provider. */
async function paying(more: object = {}): Promise<Refused> {
  const { who, order_id } = await ordered();
  await sale.openPayment(who, order_id);
  return { who, body: { order_id, ...more } };
}
async function customer(): Promise<sale.Buyer> {
  const who = await sale.newBuyer();
  await ensureCustomer(who.id, null);
  return who;
}

refusals("/order/cancel", cancel, without("retrieve_intent", paying));
refusals(
  "/order/update-status",
  updateStatus,
  without("retrieve_intent", () => paying({ status: "paid" })),
);
refusals(
  "/payment/stripe/create-payment-intent",
  createIntent,
  without("create_intent", async () => {
    const { who, order_id } = await ordered();
    // What is asked of the provider is written down first, so that it can be asked again (docs/reliability.md#calls-to-providers).
    return { who, body: { order_id }, leaves: ["insert payments"] };
  }),
);
refusals(
  "/payment/add",
  addCard,
  without("create_setup", async () => ({ who: await customer(), body: {} })),
);
refusals(
  "/auth/payment/delete",
  removeCard,
  without("retrieve_card", async () => ({ who: await customer(), body: { payment_id: "pm_x" } })),
);
