import { z } from "zod";
import { PASS_TYPES } from "@/lib/catalog/rules";
import { MAIL_EVENTS } from "@/lib/notifications/rules";
import { ORDER_STATUSES } from "@/lib/orders/rules";
import { Instant, Usd } from "@/lib/platform/api/fields";
import { STAFF_ROLES } from "@/lib/platform/auth/permissions";
import { CODE_CHANGES } from "@/lib/staff/preview/rules";
import { RETRY_OUTCOMES } from "@/lib/staff/stuck/rules";

/** of the price, and for each unit */
const CommissionRate = z.object({ percent: z.number(), fixed: Usd });

/** What an action would do, read from a dry run of its command. A kind has a text `console.effects.<kind>`. */
export const Effect = z.discriminatedUnion("kind", [
  /** by the payment provider, to whoever paid */
  z.object({ kind: z.literal("money_returned"), amount: Usd }),
  /** stored, but not sent to the provider yet, e.g. while a dispute is open */
  z.object({ kind: z.literal("refund_waits"), amount: Usd }),
  /** booked as paid by other means than the provider */
  z.object({ kind: z.literal("paid_otherwise"), amount: Usd }),
  z.object({ kind: z.literal("payments_cancelled"), count: z.int() }),
  /** The provider decides: the order is cancelled when the payment stops or fails, and refunded when it succeeds. */
  z.object({ kind: z.literal("cancellation_open"), order_number: z.string() }),
  z.object({ kind: z.literal("order_status"), order_number: z.string(), status: z.enum(ORDER_STATUSES) }),
  z.object({ kind: z.literal("codes"), change: z.enum(CODE_CHANGES), count: z.int() }),
  /** Someone else decides the request for another code. */
  z.object({ kind: z.literal("replacement_asked") }),
  z.object({ kind: z.literal("coupons_issued"), count: z.int() }),
  /** what the coupon of a customer takes off, from which order on, and until when; null: without a limit */
  z.object({
    kind: z.literal("coupon_terms"),
    amount: Usd.nullable(),
    percent: z.int().nullable(),
    max_discount: Usd.nullable(),
    minimum: Usd,
    first_order_only: z.boolean(),
    expires_at: Instant.nullable(),
  }),
  z.object({ kind: z.literal("coupons_returned"), count: z.int() }),
  z.object({ kind: z.literal("coupons_revoked"), count: z.int() }),
  z.object({ kind: z.literal("referrals_refused"), count: z.int() }),
  /** of a merchant: off the shop, and back in it */
  z.object({ kind: z.literal("products_off"), count: z.int() }),
  z.object({ kind: z.literal("products_on"), count: z.int() }),
  z.object({ kind: z.literal("campaign_on"), campaign: z.string() }),
  z.object({ kind: z.literal("campaign_off"), campaign: z.string() }),
  /** null: no cap */
  z.object({
    kind: z.literal("campaign_budget"),
    campaign: z.string(),
    before: Usd.nullable(),
    after: Usd.nullable(),
  }),
  z.object({
    kind: z.literal("campaign_daily_budget"),
    campaign: z.string(),
    before: Usd.nullable(),
    after: Usd.nullable(),
  }),
  /** New coupons may cover the whole price from then on, or no longer. */
  z.object({ kind: z.literal("campaign_free"), campaign: z.string() }),
  z.object({ kind: z.literal("campaign_paid"), campaign: z.string() }),
  z.object({ kind: z.literal("campaign_minimum"), campaign: z.string(), before: Usd, after: Usd }),
  /** The shop shows a product so from then on. */
  z.object({ kind: z.literal("product_written"), product: z.string(), count: z.int() }),
  /** The password and linked providers no longer sign in until the owner sets a new one. */
  z.object({ kind: z.literal("password_removed") }),
  z.object({ kind: z.literal("sessions_ended"), count: z.int() }),
  /** of a staff member; empty: no staff */
  z.object({
    kind: z.literal("roles"),
    person: z.string(),
    before: z.array(z.enum(STAFF_ROLES)),
    after: z.array(z.enum(STAFF_ROLES)),
  }),
  /** sessions that stay signed in without it */
  z.object({ kind: z.literal("staff_mode_ended"), count: z.int() }),
  z.object({ kind: z.literal("email"), event: z.enum(MAIL_EVENTS), to: z.string() }),
  /** of stuck work that runs again */
  z.object({ kind: z.literal("retry"), outcome: z.enum(RETRY_OUTCOMES) }),
  /** failed jobs of a queue that run again */
  z.object({ kind: z.literal("jobs_retried"), count: z.int() }),
  z.object({ kind: z.literal("shop_closed") }),
  /** with the jobs that have waited and then run */
  z.object({ kind: z.literal("shop_opened"), count: z.int() }),
  /** of sales of a merchant (its name), a category (slug) and a kind of pass; null: of all. `before`: of the same sales. */
  z.object({
    kind: z.literal("commission"),
    merchant: z.string().nullable(),
    category: z.string().nullable(),
    vip_type: z.enum(PASS_TYPES).nullable(),
    before: CommissionRate.nullable(),
    after: CommissionRate,
    /** null: from the approval on */
    valid_from: Instant.nullable(),
  }),
  /** Nothing happens until a second person has decided. */
  z.object({ kind: z.literal("second_person") }),
]);
export type Effect = z.output<typeof Effect>;
