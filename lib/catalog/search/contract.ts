import { z } from "zod";
import { ProductList } from "@/lib/catalog/contract";
import { PASS_TYPES } from "@/lib/catalog/rules";
import { ContentLanguage, Usd } from "@/lib/platform/api/fields";

export const SearchResults = ProductList.extend({
  /**
   * how the items match: all words of the keyword, those of a keyword with corrected typos, or, when no product has them
   * all, the closest ones: a guess
   */
  match: z.enum(["exact", "corrected", "closest"]),
  /** the corrected keyword that the items match when the keyword itself matches nothing; else null */
  corrected: z.string().nullable(),
});
export type SearchResults = z.output<typeof SearchResults>;

export const SuggestQuery = z.object({ keyword: z.string().trim().max(200).default("") });
export type SuggestQuery = z.output<typeof SuggestQuery>;

/** Suggestions for the typed letters: a few products, categories and pass types. */
export const Suggestions = z.object({
  products: z.array(
    z.object({
      product_id: z.int(),
      slug: z.string(),
      product_name: z.string(),
      product_tagline: z.string(),
      maker: z.string(),
      language: ContentLanguage,
      product_image: z.string(),
      /** the lowest price, as in lists */
      price: Usd,
    }),
  ),
  categories: z.array(z.object({ category: z.string(), category_name: z.string() })),
  vip_types: z.array(z.enum(PASS_TYPES)),
});
export type Suggestions = z.output<typeof Suggestions>;
