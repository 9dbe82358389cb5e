import { z } from "zod";
import { ActivationView } from "@/lib/catalog/contract";
import { PASS_TYPES } from "@/lib/catalog/rules";
import { ContentLanguage, Instant } from "@/lib/wire";

/** A pass that one owns, its code masked. */
export const LibraryItem = z.object({
  library_id: z.string(),
  order_id: z.string(),
  order_product_id: z.string(),
  product_id: z.int(),
  slug: z.string(),
  product_name: z.string(),
  product_image: z.string(),
  language: ContentLanguage,
  maker: z.string(),
  vip_type: z.enum(PASS_TYPES),
  duration_days: z.int().nullable(),
  masked_code: z.string(),
  assigned_at: Instant,
  revealed_at: Instant.nullable(),
  /** last day to redeem it at the maker's, when the maker sets one */
  redeem_by: Instant.nullable(),
  /** its refund is asked for: until that is decided the code stays hidden */
  refund_asked: z.boolean(),
  /** where its clock stands: from the first reveal; null before, and for lifetime */
  ends_at: Instant.nullable(),
  activation: ActivationView,
});
export type LibraryItem = z.output<typeof LibraryItem>;

export const LibraryList = z.object({ items: z.array(LibraryItem), total: z.int(), server_time: Instant });
export type LibraryList = z.output<typeof LibraryList>;

export const RevealKeyInput = z.object({ library_id: z.string().min(1).max(64) });
export type RevealKeyInput = z.output<typeof RevealKeyInput>;

export const RevealedKey = z.object({ library_id: z.string(), code: z.string(), revealed_at: Instant });
export type RevealedKey = z.output<typeof RevealedKey>;
