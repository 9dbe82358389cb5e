import type { Locale } from "@/lib/platform/i18n/locales";
import type { ShareCard } from "@/lib/platform/images/share-image";
import { findPostPage } from "./queries";

/** The share image of a post: its title and description beside a drawing in its category's hue. */
export async function findPostShare(slug: string, locale: Locale): Promise<Omit<ShareCard, "brand"> | null> {
  const page = await findPostPage(slug, locale, "desktop");
  if (!page) return null;
  const { title, description, hue } = page.post;
  return { title, line: description, emblem: { seed: page.post.slug, hue } };
}
