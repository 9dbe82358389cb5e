import { client } from "@/db/client";
import { renderImage } from "@/lib/catalog/images/queries";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { ImageFormat } from "@/lib/platform/images/render";
import type { ShareCard } from "@/lib/platform/images/share-image";
import type { ImageWidth } from "@/lib/platform/images/widths";
import { findPostPage, postCondition } from "./queries";

/** A post's picture, square, `width` pixels wide. @throws ShopError post_unknown */
export async function getPostImage(id: string, size: { width: ImageWidth; format: ImageFormat }) {
  const [post] = await client()<{ image: string }[]>`
    select p.image from posts p where p.listed and ${postCondition(client(), id)}`;
  if (!post) throw new ShopError("post_unknown");
  return renderImage(post.image, size);
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
