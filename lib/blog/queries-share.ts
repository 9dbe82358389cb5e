import type { Locale } from "@/lib/platform/i18n/locales";
import type { ShareCard } from "@/lib/platform/images/share-image";
import { findPostPage } from "./queries";
import { getPostImage } from "./queries-image";

const PICTURE_WIDTH = 960;

/** The share image of a post: its title and description beside its picture. */
export async function findPostShare(slug: string, locale: Locale): Promise<Omit<ShareCard, "brand"> | null> {
  const page = await findPostPage(slug, locale, "desktop");
  if (!page) return null;
  const { title, description } = page.post;
  const { bytes } = await getPostImage(page.post.slug, { width: PICTURE_WIDTH, format: "png" });
  return { title, line: description, picture: bytes };
}
