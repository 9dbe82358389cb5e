import { client } from "@/db/client";
import { type RenderedImage, renderImage } from "@/lib/catalog/images/queries";
import { ShopError } from "@/lib/platform/errors";
import type { ImageFormat } from "@/lib/platform/images/render";
import type { ImageWidth } from "@/lib/platform/images/widths";
import { postCondition } from "./queries";

/**
 * A post's picture, square, `width` pixels wide.
 * @throws ShopError post_unknown
 */
export async function getPostImage(
  id: string,
  size: { width: ImageWidth; format: ImageFormat },
): Promise<RenderedImage> {
  const sql = client();
  const [post] = await sql<{ image: string }[]>`
    select p.image from posts p where p.listed and ${postCondition(sql, id)}`;
  if (!post) throw new ShopError("post_unknown");
  return renderImage(post.image, size);
}
