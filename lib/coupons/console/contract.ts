import { z } from "zod";
import { CouponCode } from "@/lib/coupons/contract";
import { CAMPAIGN_ID } from "@/lib/coupons/contract-import";
import { CAMPAIGN_KINDS, COUPON_STATES } from "@/lib/coupons/rules";
import { Instant, inEveryLanguage, Usd, UsdInput } from "@/lib/platform/api/fields";
import { SeenVersion, Version } from "@/lib/platform/console/version";
import { NEW_CAMPAIGN_BUDGET } from "./rules";

/** Whether a campaign issues coupons now, and why not. */
export const CAMPAIGN_STATES = ["running", "off", "scheduled", "ended", "spent", "spent_today"] as const;

export const ConsoleCampaign = z.object({
  campaign: z.string(),
  kind: z.enum(CAMPAIGN_KINDS),
  title: z.string(),
  /** the public code, if any */
  coupon_code: z.string().nullable(),
  amount: Usd.nullable(),
  percent: z.int().nullable(),
  max_discount: Usd.nullable(),
  minimum: Usd,
  first_order_only: z.boolean(),
  /** its coupons may cover the whole price */
  free: z.boolean(),
  enabled: z.boolean(),
  state: z.enum(CAMPAIGN_STATES),
  starts_at: Instant.nullable(),
  ends_at: Instant.nullable(),
  /** per calendar month (UTC); null: no cap */
  monthly_budget: Usd.nullable(),
  /** what the coupons of this month may take off */
  promised: Usd,
  /** per day (UTC); null: no cap */
  daily_budget: Usd.nullable(),
  /** what the coupons issued today may take off */
  promised_today: Usd,
  /** coupons given and used, counted to COUNTED_COUPONS */
  coupons: z.int(),
  used: z.int(),
  /** of what staff change of it; a change names it */
  version: Version,
});
export type ConsoleCampaign = z.output<typeof ConsoleCampaign>;

/** GET /admin/campaigns: the built-in ones first, then the newest 200 */
export const ConsoleCampaignList = z.object({ items: z.array(ConsoleCampaign), total: z.int() });
export type ConsoleCampaignList = z.output<typeof ConsoleCampaignList>;

/** POST /admin/campaigns */
const Title = z.string().trim().min(1).max(80);

export const NewCampaignInput = z
  .object({
    campaign: CAMPAIGN_ID,
    title: inEveryLanguage(Title),
    /** either an amount, or a percentage with the most it takes off */
    amount: UsdInput.min(0.01).max(1_000).optional(),
    percent: z.int().min(1).max(100).optional(),
    max_discount: UsdInput.min(0.01).max(1_000).optional(),
    minimum: UsdInput.max(10_000).default(0),
    monthly_budget: UsdInput.min(0.01).max(NEW_CAMPAIGN_BUDGET),
    daily_budget: UsdInput.min(0.01).max(NEW_CAMPAIGN_BUDGET).optional(),
    /** its coupons may cover the whole price: for finance and administrators */
    free: z.boolean().default(false),
    /** a public code, with which each account gets one coupon */
    coupon_code: CouponCode.optional(),
    ends_at: Instant,
  })
  .refine(({ amount, percent }) => (amount === undefined) !== (percent === undefined), {
    error: "field_required",
    path: ["amount"],
  })
  .refine(({ percent, max_discount }) => (percent === undefined) === (max_discount === undefined), {
    error: "field_required",
    path: ["max_discount"],
  });
export type NewCampaignInput = z.output<typeof NewCampaignInput>;

export const CampaignParams = z.object({ id: z.string().min(1).max(64) });

/** POST /admin/campaigns/{id}: absent fields stay. */
export const CampaignChangeInput = SeenVersion.extend({
  /** false: no more coupons are issued */
  enabled: z.boolean().optional(),
  /** null: no cap */
  monthly_budget: UsdInput.nullable().optional(),
  /** null: no cap */
  daily_budget: UsdInput.nullable().optional(),
  /** whether coupons issued from now on may cover the whole price; true is for finance and administrators */
  free: z.boolean().optional(),
  /** of coupons issued from now on */
  minimum: UsdInput.max(10_000).optional(),
});
export type CampaignChangeInput = z.output<typeof CampaignChangeInput>;

/** GET /admin/coupons */
export const FindCouponInput = z.object({ coupon_code: CouponCode });

export const ConsoleCoupon = z.object({
  coupon_code: z.string(),
  campaign: z.string(),
  title: z.string(),
  state: z.enum(COUPON_STATES),
  amount: Usd.nullable(),
  percent: z.int().nullable(),
  max_discount: Usd.nullable(),
  minimum: Usd,
  created_at: Instant,
  expires_at: Instant.nullable(),
  used_at: Instant.nullable(),
  /** the owner; null: the first to use it */
  customer: z.object({ customer_id: z.string(), email: z.string() }).nullable(),
  order_number: z.string().nullable(),
});
export type ConsoleCoupon = z.output<typeof ConsoleCoupon>;

/** POST /admin/coupons/revoke */
export const RevokeCouponInput = z.object({
  coupon_code: CouponCode,
  /** for the audit log */
  reason: z.string().trim().min(3).max(500),
});

export const CampaignChanged = z.object({ campaign: z.string() });
export const CouponRevoked = z.object({ coupon_code: z.string() });
