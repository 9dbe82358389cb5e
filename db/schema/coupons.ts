import { sql } from "drizzle-orm";
import { boolean, check, index, integer, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { CAMPAIGN_KINDS, COUPON_STATES } from "@/lib/coupons/rules";
import type { Locale } from "@/lib/platform/i18n/locales";
import { users } from "./accounts";
import { at, createdAt, id, oneOf, reference } from "./columns";
import { orders } from "./orders";

/** Campaigns that issue coupons: terms, budgets of a month and a day, and a switch. */
export const campaigns = pgTable(
  "campaigns",
  {
    /** chosen by staff: daily, new_user, inviter, spring-2027 */
    id: id(),
    kind: text("kind", { enum: CAMPAIGN_KINDS }).notNull(),
    title: jsonb("title").$type<Record<Locale, string>>().notNull(),
    /** A public code, upper case: each account that enters it gets one coupon. */
    code: text("code").unique(),
    /** Either an amount in cents or a percentage, with an optional cap. */
    amountCents: integer("amount_cents"),
    percent: integer("percent"),
    maxDiscountCents: integer("max_discount_cents"),
    minimumCents: integer("minimum_cents").notNull().default(0),
    firstOrderOnly: boolean("first_order_only").notNull().default(false),
    /** Its coupons may cover the whole price; all others leave the payment provider's least charge to pay. */
    free: boolean("free").notNull().default(false),
    /** Validity of a coupon from its issue; null: until the campaign's end, if any. */
    validHours: integer("valid_hours"),
    startsAt: at("starts_at"),
    endsAt: at("ends_at"),
    /** Budget per calendar month (UTC); null: no cap. */
    monthlyBudgetCents: integer("monthly_budget_cents"),
    /** Budget used in `budgetMonth` ("2026-11"). */
    budgetMonth: text("budget_month").notNull().default(""),
    promisedCents: integer("promised_cents").notNull().default(0),
    /** Budget per day (UTC); null: no cap. What was issued on a day stays counted on it. */
    dailyBudgetCents: integer("daily_budget_cents"),
    /** Budget used on `budgetDay` ("2026-11-29"). */
    budgetDay: text("budget_day").notNull().default(""),
    promisedTodayCents: integer("promised_today_cents").notNull().default(0),
    /** Coupons per user and calendar month; null: no cap. */
    monthlyCap: integer("monthly_cap"),
    /** Off: issues no more coupons. */
    enabled: boolean("enabled").notNull().default(true),
    createdAt: createdAt(),
  },
  (t) => [
    check("campaigns_kind", oneOf("kind", CAMPAIGN_KINDS)),
    check("campaigns_worth", sql`(amount_cents is null) <> (percent is null)`),
    check("campaigns_amount", sql`coalesce(amount_cents, 1) > 0 and coalesce(percent, 1) between 1 and 100`),
    check("campaigns_code", sql`code = upper(code)`),
    check(
      "campaigns_budget",
      sql`promised_cents >= 0 and (monthly_budget_cents is null or monthly_budget_cents >= 0) and minimum_cents >= 0`,
    ),
    check(
      "campaigns_daily_budget",
      sql`promised_today_cents >= 0 and (daily_budget_cents is null or daily_budget_cents >= 0)`,
    ),
    index("campaigns_by_kind").on(t.kind),
  ],
);

/** A single-use coupon. Its terms are fixed at its issue. */
export const coupons = pgTable(
  "coupons",
  {
    id: id(),
    code: text("code").notNull().unique(),
    campaignId: reference("campaign_id", () => campaigns.id),
    /** The owner; null: the first to bind or use it. */
    userId: text("user_id").references(() => users.id),
    amountCents: integer("amount_cents"),
    percent: integer("percent"),
    maxDiscountCents: integer("max_discount_cents"),
    minimumCents: integer("minimum_cents").notNull(),
    firstOrderOnly: boolean("first_order_only").notNull().default(false),
    /** It may cover the whole price. */
    free: boolean("free").notNull().default(false),
    startsAt: at("starts_at"),
    expiresAt: at("expires_at"),
    state: text("state", { enum: COUPON_STATES }).notNull().default("open"),
    /** The order that holds or used it. */
    orderId: text("order_id")
      .unique()
      .references(() => orders.id),
    /** Unique per recipient: `daily:<email identity>:<day>`, `new_user:<email identity>` … */
    issueKey: text("issue_key").unique(),
    /** The part of the campaign's budget that this coupon holds, and its month. */
    promisedCents: integer("promised_cents").notNull().default(0),
    promisedMonth: text("promised_month"),
    createdAt: createdAt(),
    boundAt: at("bound_at"),
    usedAt: at("used_at"),
  },
  (t) => [
    index("coupons_of_user").on(t.userId, t.createdAt),
    index("coupons_to_expire").on(t.expiresAt).where(sql`state = 'open' and promised_cents > 0`),
    index("coupons_of_campaign").on(t.campaignId),
    index("coupons_used").on(t.campaignId).where(sql`state = 'used'`),
    check("coupons_state", oneOf("state", COUPON_STATES)),
    check("coupons_code", sql`code = upper(code)`),
    check("coupons_worth", sql`(amount_cents is null) <> (percent is null)`),
    check("coupons_amount", sql`coalesce(amount_cents, 1) > 0 and coalesce(percent, 1) between 1 and 100`),
    check("coupons_order", sql`(state in ('reserved', 'used')) = (order_id is not null)`),
    check("coupons_owner", sql`order_id is null or user_id is not null`),
    check("coupons_promised", sql`promised_cents >= 0 and minimum_cents >= 0`),
  ],
);

/**
 * Where a coupon was claimed from, as keyed hashes, so that claims are counted per mail domain, device and address group
 * and day. Deleted two days later.
 */
export const couponClaims = pgTable(
  "coupon_claims",
  {
    couponId: text("coupon_id").notNull(),
    campaignId: text("campaign_id").notNull(),
    /** null: a mail provider, whose domain many people share */
    mailDomain: text("mail_domain"),
    device: text("device"),
    addressGroup: text("address_group"),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.campaignId, t.createdAt, t.couponId] })],
);
