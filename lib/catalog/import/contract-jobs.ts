import { z } from "zod";

/** Tells merchants what the shop changed of their products; lib/merchants/jobs.ts runs it. */
export const ProductsRevised = {
  name: "products-revised",
  schema: z.object({
    /** who wrote the revisions: `import` or a user's id */
    by: z.string(),
    products: z.array(z.object({ product_id: z.int(), revision: z.int() })).min(1),
  }),
};
