import { z } from "zod";
import type { ProductDetail, VipOption } from "@/lib/catalog/contract";
import { IntParam, UsdParam } from "@/lib/platform/api/fields";
import { type PassPlan, PLAN_DAYS_MAX, type RefundDays } from "./rules";

export const PlanDays = IntParam.min(1).max(PLAN_DAYS_MAX);

/** What to plan for: a product by its slug or number, or a need in words. */
export const PlanPassesInput = z.object({
  product: z.string().trim().min(1).max(120).optional(),
  need: z.string().trim().min(1).max(200).optional(),
  days: PlanDays,
  /** in US dollars, for everything */
  budget: UsdParam.optional(),
  /** ISO 3166 */
  country: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .optional(),
});
export type PlanPassesInput = z.output<typeof PlanPassesInput>;

export type ProductPlan = PassPlan<VipOption> & {
  product: ProductDetail;
  perDayCents: number;
  /** by day, from day 0 to the last requested day */
  back: RefundDays[];
};

/** `product`: the product of the input; null if the input names none that is sold. */
export type PlannedPasses = { product: ProductDetail | null; plans: ProductPlan[] };
