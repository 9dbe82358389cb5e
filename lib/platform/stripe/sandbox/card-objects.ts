import type Stripe from "stripe";
import type { sandboxCustomers, sandboxMethods, sandboxSetups } from "@/db/schema/sandbox";

/** The emulator's customers, pretended cards and setups as Stripe shows them; the types are Stripe's own. */
export type CustomerRow = typeof sandboxCustomers.$inferSelect;
export type MethodRow = typeof sandboxMethods.$inferSelect;
export type SetupRow = typeof sandboxSetups.$inferSelect;

const seconds = (date: Date) => Math.floor(date.getTime() / 1000);

export function customerObject(row: CustomerRow): Stripe.Customer {
  return {
    id: row.id,
    object: "customer",
    balance: 0,
    created: seconds(row.createdAt),
    default_source: null,
    description: null,
    email: null,
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: row.metadata,
    shipping: null,
  };
}

export function methodObject(row: MethodRow): Stripe.PaymentMethod {
  return {
    id: row.id,
    object: "payment_method",
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    card: {
      brand: row.brand,
      checks: null,
      country: "US",
      display_brand: row.brand,
      exp_month: row.expMonth,
      exp_year: row.expYear,
      funding: "credit",
      generated_from: null,
      last4: row.last4,
      networks: null,
      regulated_status: null,
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: seconds(row.createdAt),
    customer: row.customerId,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: "card",
  };
}

export function setupObject(row: SetupRow): Stripe.SetupIntent {
  const { lastError: error } = row;
  return {
    id: row.id,
    object: "setup_intent",
    allowed_payment_method_types: ["card"],
    application: null,
    automatic_payment_methods: null,
    cancellation_reason: null,
    client_secret: row.clientSecret,
    created: seconds(row.createdAt),
    customer: row.customerId,
    description: null,
    excluded_payment_method_types: null,
    last_setup_error: error && {
      type: "card_error",
      code: error.code,
      message: error.message,
      ...(error.declineCode && { decline_code: error.declineCode }),
    },
    latest_attempt: null,
    livemode: false,
    mandate: null,
    metadata: row.metadata,
    next_action: row.status === "requires_action" ? { type: "use_stripe_sdk", use_stripe_sdk: {} } : null,
    on_behalf_of: null,
    payment_method: row.methodId,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ["card"],
    single_use_mandate: null,
    status: row.status,
    usage: "off_session",
  };
}
