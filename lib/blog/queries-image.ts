import { createHash } from "node:crypto";
import { client } from "@/db/client";
import { ShopError } from "@/lib/platform/errors";
import { emblemSvg, type ImageFormat, renderEmblem } from "@/lib/platform/images/artwork";
import { cachedImage } from "@/lib/platform/images/image-cache";
import type { ImageWidth } from "@/lib/platform/images/widths";
import { postCondition } from "./queries";

/** `version`: the `v` of the drawing's address today. */
export type PostImage = { bytes: Buffer; etag: string; version: string };
/**
 * A post's drawing in its category's hue, square, `width` pixels wide.
 * @throws ShopError post_unknown
 */
export async function getPostImage(
  id: string,
  { width, format }: { width: ImageWidth; format: ImageFormat },
): Promise<PostImage> {
  const sql = client();
  const [post] = await sql<{ slug: string; hue: number }[]>`
    select p.slug, c.hue from posts p join categories c on c.slug = p.category
    where p.listed and ${postCondition(sql, id)}`;
  if (!post) throw new ShopError("post_unknown");
  const key = `${post.slug} ${post.hue} ${width} ${format}`;
  const bytes = await cachedImage(`post ${key}`, () =>
    renderEmblem(emblemSvg(post.slug, post.hue), width, format),
  );
  const etag = `"${createHash("sha256").update(key).digest("base64url").slice(0, 22)}"`;
  return { bytes, etag, version: String(post.hue) };
}
