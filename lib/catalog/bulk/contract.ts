import { z } from "zod";
import { PriceShown } from "@/lib/catalog/console/contract-editor";
import { Usd } from "@/lib/platform/api/fields";

/** What an edit of a plan does, and what buyers will see. */
export const PriceEffect = z.object({
  /** of the file; of a form the place in its list */
  line: z.int(),
  vip_id: z.int(),
  product: z.string(),
  plan: z.string(),
  before: Usd,
  after: Usd,
  shown: PriceShown,
  /** More than half from the price of 24 hours ago: staff decide. */
  needs_approval: z.boolean(),
});
export type PriceEffect = z.output<typeof PriceEffect>;
/** Effects that a preview lists; `counts` has them all. */
export const EFFECTS_LISTED = 1_000;
