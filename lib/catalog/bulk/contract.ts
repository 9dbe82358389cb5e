import { z } from "zod";
import { PriceShown } from "@/lib/catalog/console/contract-editor";
import { Usd } from "@/lib/platform/api/fields";

/** What an edit of a plan does, and what buyers will see. */
export const PriceEffect = z.object({
  /** the line of the file, or the position in the list of a form */
  line: z.int(),
  vip_id: z.int(),
  product: z.string(),
  plan: z.string(),
  before: Usd,
  after: Usd,
  shown: PriceShown,
  /** The price differs by more than half from the price of 24 hours ago, so staff decide. */
  needs_approval: z.boolean(),
});
export type PriceEffect = z.output<typeof PriceEffect>;
/** Effects that a preview lists; `counts` has them all. */
export const EFFECTS_LISTED = 1_000;
