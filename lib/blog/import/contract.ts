import { z } from "zod";
import { SLUG_PATTERN } from "@/lib/catalog/rules";
import { CalendarDay } from "@/lib/platform/api/fields";

const Slug = z
  .string()
  .regex(SLUG_PATTERN, "A slug is lower-case letters and digits, in words joined by hyphens.")
  .max(80);

/** `post.json` of a post's folder. */
export const PostFile = z
  .strictObject({
    slug: Slug.regex(/[a-z]/, "A slug of digits alone would be read as a number."),
    author: z.string().trim().min(1).max(80),
    category: z.string().min(1).max(60),
    /** a picture file in the post's folder; without one the placeholder is shown */
    image: z
      .string()
      .max(100)
      .regex(
        /^[\w-]+\.(png|jpe?g|webp|svg|avif)$/i,
        "A picture is a PNG, JPEG, WebP, SVG or AVIF file in the post's folder.",
      )
      .optional(),
    recommended: z.boolean(),
    related: z.array(Slug).max(6),
    published_on: CalendarDay,
    updated_on: CalendarDay,
  })
  .refine((post) => post.updated_on >= post.published_on, {
    path: ["updated_on"],
    error: "A post cannot be updated before it is published.",
  })
  .refine((post) => new Set(post.related).size === post.related.length, {
    path: ["related"],
    error: "A product is named twice.",
  });
export type PostFile = z.output<typeof PostFile>;
