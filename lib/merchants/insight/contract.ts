import { z } from "zod";
import { INSIGHT_DAYS } from "@/lib/merchants/insight/rules";
import { IntParam } from "@/lib/platform/api/fields";
import { Cursor, Day, listOf } from "@/lib/platform/console/list";

const ProductFilter = { product_id: IntParam.positive().max(2_147_483_647).optional() };
const Plan = {
  product_id: z.int(),
  product_name: z.string(),
  vip_id: z.int(),
  vip_type: z.string(),
};

/** GET /merchant/insight/plans: the plans of the newest product first. */
export const PlanFiguresInput = z.object({
  cursor: Cursor,
  ...ProductFilter,
  days: IntParam.refine((days): boolean => INSIGHT_DAYS.some((known) => known === days)).default(28),
});
export type PlanFiguresInput = z.output<typeof PlanFiguresInput>;
export const PlanFigures = z.object({
  ...Plan,
  /** views of the product's page, which all its plans share */
  views: z.int(),
  /** carts that it was put into */
  carts: z.int(),
  /** paid units, refunded ones included */
  paid: z.int(),
});
export type PlanFigures = z.output<typeof PlanFigures>;
export const PlanFiguresList = listOf(PlanFigures);
export type PlanFiguresList = z.output<typeof PlanFiguresList>;

/** GET /merchant/insight/demand */
export const DemandInput = z.object({ cursor: Cursor, ...ProductFilter });
export type DemandInput = z.output<typeof DemandInput>;
export const PlanDemand = z.object({
  ...Plan,
  /** codes that can be sold, counted to 1,000 */
  available: z.int(),
  /** people on the wait-list, counted to 1,000 */
  waiting: z.int(),
  /** days since the first sale of the last 8 weeks; 0: none. Below 14 the forecast is a guess */
  history_days: z.int(),
  /** units per day at the current rate, today included */
  rate: z.number(),
  /** days for which the available codes last; null: nothing is sold, or more codes than are counted */
  cover: z.int().nullable(),
  /** expected units of the next 14 days, and the band in which they end eight times of ten */
  expected: z.number(),
  low: z.number(),
  high: z.number(),
  /** codes to add for these days and the waiting people, and the same for the band */
  suggestion: z.int(),
  suggestion_low: z.int(),
  suggestion_high: z.int(),
});
export type PlanDemand = z.output<typeof PlanDemand>;
export const PlanDemandList = listOf(PlanDemand);
export type PlanDemandList = z.output<typeof PlanDemandList>;

/** GET /merchant/insight/days: one plan in the last 8 weeks, and the forecast of the next 14 days. */
export const PlanDaysInput = z.object({ vip_id: IntParam.positive().max(2_147_483_647) });
export const PlanDays = z.object({
  ...Plan,
  days: z.array(z.object({ day: Day, views: z.int(), carts: z.int(), paid: z.int() })),
  /** as in the demand */
  history_days: z.int(),
  forecast: z.array(z.object({ day: Day, expected: z.number() })),
});
export type PlanDays = z.output<typeof PlanDays>;

/** GET /merchant/insight/searches: the most frequent first. */
export const ProductSearches = z.object({
  items: z.array(
    z.object({
      product_id: z.int(),
      product_name: z.string(),
      content: z.string(),
      /** in the last 28 days */
      searches: z.int(),
      /** the product's place among the results */
      place: z.int(),
    }),
  ),
  total: z.int(),
});
export type ProductSearches = z.output<typeof ProductSearches>;

/** The page of insight: figures and demand of the same plans, and the days of one of them. */
export const InsightPageInput = PlanFiguresInput.extend({ vip_id: PlanDaysInput.shape.vip_id.optional() });
export type InsightPageInput = z.output<typeof InsightPageInput>;
