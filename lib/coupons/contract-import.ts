import { z } from "zod";
import { Instant } from "@/lib/platform/api/fields";
import { byLocale } from "@/lib/platform/i18n/locales";
import { CouponCode } from "./contract";

const Cents = z
  .number()
  .positive()
  .max(10_000)
  .refine((dollars) => Number.isInteger(Math.round(dollars * 1e6) / 1e4), { error: "line_price" })
  .transform((dollars) => Math.round(dollars * 100));
/** Chosen by staff; used in addresses and reports. */
export const CAMPAIGN_ID = z.string().regex(/^[a-z0-9][a-z0-9_-]{1,39}$/, { error: "campaign_id" });
/** Compares times, because the texts may have different offsets. */
const isBefore = (earlier: string, later: string) => Date.parse(earlier) < Date.parse(later);
const Title = z
  .string()
  .trim()
  .min(1)
  .max(80)
  .refine((title) => !/\p{Cc}/u.test(title) && title.isWellFormed(), {
    error: "line_control",
  });

/** A promotion: terms, monthly budget, and public code if any. Money in dollars. */
export const CampaignLine = z
  .strictObject({
    kind: z.literal("campaign"),
    id: CAMPAIGN_ID,
    title: z.strictObject(byLocale(() => Title)),
    amount: Cents.optional(),
    percent: z.int().min(1).max(100).optional(),
    max_discount: Cents.optional(),
    minimum: Cents.optional(),
    code: CouponCode.optional(),
    first_order_only: z.boolean().default(false),
    valid_hours: z.int().min(1).max(87_600).optional(),
    starts_at: Instant.optional(),
    ends_at: Instant.optional(),
    monthly_budget: Cents.optional(),
    daily_budget: Cents.optional(),
    /** its coupons may cover the whole price */
    free: z.boolean().default(false),
  })
  .refine(({ amount, percent }) => (amount === undefined) !== (percent === undefined), {
    error: "campaign_worth",
  })
  .refine(
    ({ percent, monthly_budget, daily_budget, max_discount }) =>
      !percent || !(monthly_budget || daily_budget) || max_discount,
    { error: "campaign_budget_percent", path: ["max_discount"] },
  )
  .refine(({ starts_at, ends_at }) => !starts_at || !ends_at || isBefore(starts_at, ends_at), {
    error: "time_order",
    path: ["ends_at"],
  });
export type CampaignLine = z.output<typeof CampaignLine>;

/** A single-use coupon of a campaign that exists or precedes it in the file. */
export const CouponLine = z
  .strictObject({
    kind: z.literal("coupon"),
    code: CouponCode,
    campaign: CAMPAIGN_ID,
    starts_at: Instant.optional(),
    expires_at: Instant.optional(),
  })
  .refine(({ starts_at, expires_at }) => !starts_at || !expires_at || isBefore(starts_at, expires_at), {
    error: "time_order",
    path: ["expires_at"],
  });
export type CouponLine = z.output<typeof CouponLine>;

export const ImportLine = z.discriminatedUnion("kind", [CampaignLine, CouponLine], {
  error: "campaign_or_coupon",
});
