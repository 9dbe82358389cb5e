import { z } from "zod";
import { EmailAddress } from "@/lib/platform/api/fields";
import { slug, text } from "./contract-values";

/**
 * The plain fields of a product: each is one text or whole number, in the column of `products` with its name. The record that
 * imports and exports have, the statements that read and write it, the editor's draft, proposals of merchants and lists of changes
 * follow from this schema and from PLAIN_FIELDS (rules-fields.ts). A field that is added later is optional.
 */
export const PlainFields = z.object({
  slug,
  vendor: text(80),
  /** the vendor's address for confirmations; default: the shop's support */
  vendor_email: EmailAddress.optional(),
  category: slug,
});
export type PlainFields = z.output<typeof PlainFields>;

/** The plain fields that products in calls and on pages have under the same name; null where there is no value. */
export const ShownFields = {
  slug: z.string(),
  category: z.string(),
} satisfies Partial<Record<keyof PlainFields, z.ZodType>>;
