import { sql } from "drizzle-orm";
import { preparedDb } from "@/db/client";
import { renderImage } from "@/lib/catalog/images/render-image";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { ImageFormat } from "@/lib/platform/images/render";
import type { ShareCard } from "@/lib/platform/images/share-image";
import type { ImageWidth } from "@/lib/platform/images/widths";
import { findPostPage, postCondition } from "./find-post-page";
import { figureTarget } from "./rules";

type Size = { width: ImageWidth; format: ImageFormat };

/** A post's picture, square, `width` pixels wide. @throws ShopError post_unknown */
export async function getPostImage(id: string, size: Size) {
  const [post] = await preparedDb.execute<{ image: string }>(sql`
    select p.image from posts p where p.listed and ${postCondition(id)}`);
  if (!post) throw new ShopError("post_unknown");
  return renderImage(post.image, size);
}

/** A figure of a post's text, `width` pixels wide. @throws ShopError post_unknown when no text of the post shows it */
export async function getPostFigure(id: string, figure: string, size: Size) {
  const [post] = await preparedDb.execute<{ slug: string }>(sql`
    select p.slug from posts p where p.listed and ${postCondition(id)}
      and exists (select from post_texts t where t.post_id = p.id and strpos(t.body, ${figureTarget(figure)}) > 0)`);
  if (!post) throw new ShopError("post_unknown");
  return renderImage(figure, size, "figure");
}

const PICTURE_WIDTH = 960;

/** The share image of a post: its title, description and picture. */
export async function findPostShare(slug: string, locale: Locale): Promise<Omit<ShareCard, "brand"> | null> {
  const page = await findPostPage(slug, locale, "desktop");
  if (!page) return null;
  const { title, description } = page.post;
  const { bytes } = await getPostImage(page.post.slug, { width: PICTURE_WIDTH, format: "png" });
  return { title, line: description, picture: bytes };
}
