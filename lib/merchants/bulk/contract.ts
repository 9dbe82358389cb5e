import { z } from "zod";
import { PriceEffect } from "@/lib/catalog/bulk/contract";
import { Instant, IntParam } from "@/lib/platform/api/fields";
import { BULK_PLANS, DEAL_PERCENT_MAX, DEAL_UNITS_MAX } from "./rules";

const Sha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .meta({ example: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" });
const Refused = z.object({ line: z.int(), field: z.string(), message: z.string() });
const Counts = z.object({
  changed: z.int(),
  /** unchanged plans, and plans for which the same change waits */
  unchanged: z.int(),
  refused: z.int(),
});

/** The preview of a price file or of a deal for many plans. */
export const BulkPreview = z.object({
  /** the hash of the file; null for a form */
  sha256: Sha256.nullable(),
  counts: Counts,
  /** what buyers will see of changed plans, at most 1,000 */
  effects: z.array(PriceEffect),
  refused: z.array(Refused),
  /** false: staff decide about each product's change */
  automatic: z.boolean(),
});
export type BulkPreview = z.output<typeof BulkPreview>;

/** The result of one part. */
export const BulkApplied = z.object({
  counts: Counts.extend({
    /** how many of the changed plans wait for staff */
    waiting: z.int(),
  }),
  refused: z.array(Refused),
  /** `after` for the next call; null when all parts are done */
  next: z.int().nullable(),
});
export type BulkApplied = z.output<typeof BulkApplied>;

const After = z.int().min(0).max(2_147_483_647);
/** POST /merchant/prices/apply: the file that was previewed. */
export const ApplyPricesQuery = z.object({
  sha256: Sha256,
  /** `next` of the previous call */
  after: IntParam.min(0).max(2_147_483_647).default(0),
});

/** POST /merchant/deals */
export const DealInput = z.object({
  /** off the price, in per cent */
  percent: z.int().min(1).max(DEAL_PERCENT_MAX).meta({ example: 10 }),
  ends_at: Instant,
  /** units of each plan at the lower price */
  quantity: z.int().min(1).max(DEAL_UNITS_MAX).default(1_000),
  preview: z.boolean().default(false),
  /** `next` of the previous call */
  after: After.default(0),
});
export type DealInput = z.output<typeof DealInput>;
export const DealResult = z.object({ preview: BulkPreview.nullable(), applied: BulkApplied.nullable() });
export type DealResult = z.output<typeof DealResult>;

/** POST /merchant/plans/pause: many plans off sale, or on sale again. */
export const PausePlansInput = z.object({
  vip_ids: z.array(z.int().positive().max(2_147_483_647)).min(1).max(BULK_PLANS),
  paused: z.boolean(),
});
export type PausePlansInput = z.output<typeof PausePlansInput>;
export const PlansPaused = z.object({
  changed: z.int(),
  unchanged: z.int(),
  refused: z.array(z.object({ vip_id: z.int(), message: z.string() })),
});
export type PlansPaused = z.output<typeof PlansPaused>;

/** GET /merchant/plans: the listed plans, the oldest first. */
export const PlanList = z.object({
  items: z.array(
    z.object({
      vip_id: z.int(),
      product: z.string(),
      /** `week:7` */
      plan: z.string(),
      price: z.number(),
      paused: z.boolean(),
    }),
  ),
});
export type PlanList = z.output<typeof PlanList>;
