import { sql } from "drizzle-orm";
import { fillKnownPlaceholders, plainText } from "@/lib/platform/content/content-file";
import type { Locale } from "@/lib/platform/i18n/locales";
import { instant } from "@/lib/platform/instant";
import type { PostItem } from "./contract";
import { placeholderValues, postImagePath, readingMinutes } from "./rules";

export type Row = Omit<PostItem, "reading_minutes" | "language"> & { body: string; related: string[] };

export const postColumns = (locale: Locale) => sql`
  p.id as post_id, p.slug, t.title, t.description, t.body, p.author, p.category, p.recommended, p.related,
  coalesce(c.names ->> ${locale}, c.names ->> 'en') as category_name, c.hue, p.image,
  p.published_at, p.updated_at`;

export const postJoins = (locale: Locale) => sql`
  join post_texts t on t.post_id = p.id and t.locale = ${locale} join categories c on c.slug = p.category`;

export function toPostItem({ body, related: _, ...row }: Row, locale: Locale): PostItem {
  const values = placeholderValues(locale);
  return {
    ...row,
    title: fillKnownPlaceholders(row.title, values),
    description: fillKnownPlaceholders(row.description, values),
    image: postImagePath(row.slug, row.image),
    published_at: instant(row.published_at),
    updated_at: instant(row.updated_at),
    reading_minutes: readingMinutes(plainText(body)),
    language: locale,
  };
}
