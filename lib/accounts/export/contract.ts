import { z } from "zod";
import { BillingAddress } from "@/lib/accounts/billing/contract";
import { AccountView } from "@/lib/accounts/contract";
import { SessionView } from "@/lib/accounts/devices/contract";
import { Instant, Usd } from "@/lib/platform/api/fields";

const NullableInstant = Instant.nullable();
const listOf = <Shape extends z.ZodRawShape>(shape: Shape) => z.array(z.object(shape));

/** A consent to immediate delivery: by which act, under which terms, in which language and version of the words. */
const ExportedConsent = z
  .object({
    source: z.string(),
    terms: z.string(),
    wording: z.object({ locale: z.string(), version: z.string() }),
  })
  .nullable();

const ExportedLine = z.object({
  product_id: z.int(),
  vip_id: z.int(),
  product_name: z.string(),
  pass_type: z.string(),
  quantity: z.int(),
  unit_price: Usd,
  total: Usd,
  state: z.string(),
  /** when it was put into the cart, and the source of that; null: bought without the cart */
  cart_at: NullableInstant,
  cart_source: z.string().nullable(),
  immediate_delivery: z.boolean().nullable(),
  immediate_consent_at: NullableInstant,
  consent: ExportedConsent,
  /** Masked; the library reveals the codes themselves. */
  codes: listOf({
    code: z.literal("••••"),
    assigned_at: NullableInstant,
    first_revealed_at: NullableInstant,
    /** the consent that the first reveal was */
    consent: ExportedConsent,
  }),
});

const ExportedGift = z.object({
  state: z.string(),
  recipient_email: z.string().nullable(),
  deliver_on: z.string(),
  time_zone: z.string(),
  message: z.string(),
  from_name: z.string().nullable(),
  sent_at: NullableInstant,
  claimed_at: NullableInstant,
  returned_at: NullableInstant,
});

/** Where the order is taxed and why, and the business for which it was bought. */
const ExportedTax = z.object({
  billing_country: z.string().nullable(),
  card_country: z.string().nullable(),
  network_country: z.string().nullable(),
  answer: z.string().nullable(),
  answered_at: NullableInstant,
  country: z.string().nullable(),
  treatment: z.string().nullable(),
  percent: z.number().nullable(),
  decided_at: NullableInstant,
  company: z.string().nullable(),
  company_address: z.string().nullable(),
  vat_id: z.string().nullable(),
  vat_check: z.string().nullable(),
  vat_checked_at: NullableInstant,
  vat_reference: z.string().nullable(),
});

const ExportedOrder = z.object({
  order_id: z.string(),
  order_number: z.string(),
  country: z.string().nullable(),
  time_zone: z.string().nullable(),
  attribution: z.record(z.string(), z.string()).nullable(),
  status: z.string(),
  send_email: z.string(),
  subtotal: Usd,
  discount: Usd,
  total: Usd,
  created_at: Instant,
  paid_at: NullableInstant,
  shipped_at: NullableInstant,
  cancelled_at: NullableInstant,
  order_products: z.array(ExportedLine),
  /** the order was given away, or is about to be */
  gift: ExportedGift.nullable(),
  payments: listOf({
    amount: Usd,
    state: z.string(),
    receipt_email: z.string(),
    /** The provider's fingerprint, equal for equal cards. */
    card_fingerprint: z.string().nullable(),
    created_at: Instant,
  }),
  refunds: listOf({ amount: Usd, reason: z.string(), state: z.string(), created_at: Instant }),
  tax: ExportedTax.nullable(),
  /** the invoices and credit notes that were issued; the order page has the documents */
  tax_documents: listOf({ number: z.string(), kind: z.string(), issued_at: Instant, total: Usd, tax: Usd }),
});

/** POST /auth/export: all stored data about the viewer. */
export const AccountExport = z.object({
  exported_at: Instant,
  account: AccountView.extend({
    age_group: z.string().nullable(),
    privacy_accepted_at: NullableInstant,
    email_verified_at: NullableInstant,
    created_at: Instant,
    signup_source: z.record(z.string(), z.string()).nullable(),
    country: z.string().nullable(),
    has_password: z.boolean(),
    proven_emails: listOf({ email: z.string(), proved_at: Instant }),
  }),
  sessions: z.array(SessionView.extend({ time_zone: z.string().nullable(), ended_at: NullableInstant })),
  /** for which merchants the account sells or sold */
  merchants: listOf({
    merchant: z.string(),
    role: z.string(),
    created_at: Instant,
    ended_at: NullableInstant,
  }),
  identities: listOf({ provider: z.string(), subject: z.string(), email: z.string(), created_at: Instant }),
  addresses: z.array(BillingAddress.extend({ country: z.string(), created_at: Instant })),
  cart: listOf({
    product_id: z.int(),
    vip_id: z.int(),
    quantity: z.int(),
    /** the source by which the buyer came */
    source: z.string().nullable(),
    created_at: Instant,
  }),
  orders: z.array(ExportedOrder),
  /** gifts that the user claimed; the giver is not named: that is their data */
  gifts_claimed: listOf({
    message: z.string(),
    claimed_at: Instant,
    passes: listOf({
      product_id: z.int(),
      product_name: z.string(),
      pass_type: z.string(),
      code: z.literal("••••"),
      first_revealed_at: NullableInstant,
      activated_at: NullableInstant,
      consent: ExportedConsent,
    }),
  }),
  refund_requests: listOf({
    order_id: z.string(),
    amount: Usd,
    state: z.string(),
    /** The country that a withdrawal named, where it was another than the order's. */
    stated_country: z.string().nullable(),
    created_at: Instant,
    decided_at: NullableInstant,
  }),
  /** of the viewer's orders, and under the viewer's address */
  withdrawal_declarations: listOf({
    order_ref: z.string(),
    email: z.string(),
    words: listOf({
      at: z.string(),
      name: z.string().nullable(),
      passes: z.string().nullable(),
      language: z.string(),
      version: z.string(),
    }),
    times: z.int(),
    declared_at: Instant,
    last_at: Instant,
    proved_at: NullableInstant,
    closed_at: NullableInstant,
  }),
  reviews: listOf({
    product_id: z.int(),
    order_id: z.string(),
    rating: z.int(),
    title: z.string(),
    content: z.string(),
    state: z.string(),
    created_at: Instant,
  }),
  coupons: listOf({
    code: z.string(),
    campaign: z.string(),
    amount: Usd.nullable(),
    percent: z.int().nullable(),
    state: z.string(),
    order_id: z.string().nullable(),
    created_at: Instant,
    expires_at: NullableInstant,
  }),
  /** Invited friends are not named: that is their data. */
  referrals: listOf({
    state: z.string(),
    role: z.enum(["inviter", "friend"]),
    created_at: Instant,
    decided_at: NullableInstant,
  }),
  wait_list: listOf({ vip_id: z.int(), email: z.string(), state: z.string(), created_at: Instant }),
  wishlist: listOf({
    product_id: z.int(),
    /** in cents by plan, as last seen */
    seen_prices: z.record(z.string(), z.int()),
    seen_in_stock: z.boolean(),
    created_at: Instant,
    mailed_at: NullableInstant,
  }),
  subscriptions: listOf({
    topic: z.string(),
    state: z.string(),
    created_at: Instant,
    confirmed_at: NullableInstant,
    ended_at: NullableInstant,
  }),
  unsubscribed: listOf({ topic: z.string(), created_at: Instant }),
  searches: listOf({ content: z.string(), locale: z.string(), created_at: Instant }),
  sources: listOf({
    event_type: z.string(),
    source: z.string().nullable(),
    campaign: z.string().nullable(),
    medium: z.string().nullable(),
    content: z.string().nullable(),
    landing_page: z.string().nullable(),
    referrer: z.string().nullable(),
    order_id: z.string().nullable(),
    created_at: Instant,
  }),
  /** Audit entries about the viewer. */
  activity: listOf({ action: z.string(), subject: z.string(), created_at: Instant }),
  applications: listOf({
    product_url: z.string(),
    phone_num: z.string(),
    state: z.string(),
    created_at: Instant,
  }),
  /** conversations with support that are still kept */
  conversations: listOf({
    email: z.string().nullable(),
    order_number: z.string().nullable(),
    state: z.string(),
    created_at: Instant,
    closed_at: NullableInstant,
    messages: listOf({ author: z.string(), text: z.string(), created_at: Instant }),
  }),
  /** reports with the viewer's address that are still kept */
  reports: listOf({
    kind: z.string(),
    target: z.string(),
    reason: z.string(),
    text: z.string(),
    outcome: z.string().nullable(),
    statement: z.string().nullable(),
    created_at: Instant,
    decided_at: NullableInstant,
  }),
  mails: listOf({
    event: z.string(),
    to: z.string(),
    state: z.string(),
    created_at: Instant,
    sent_at: NullableInstant,
  }),
});
export type AccountExport = z.output<typeof AccountExport>;
