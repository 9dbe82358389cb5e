import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { client } from "@/db/client";
import { ShopError } from "@/lib/platform/errors";
import { emblemSvg, type ImageFormat, renderEmblem } from "@/lib/platform/images/artwork";
import type { ImageWidth } from "@/lib/platform/images/widths";
import { postCondition } from "./queries";

const CACHE_BYTES = 8 * 1024 * 1024;

/** `version`: the `v` of the drawing's address today. */
export type PostImage = { bytes: Buffer; etag: string; version: string };
type Wanted = { slug: string; hue: number; width: ImageWidth; format: ImageFormat };

// On globalThis: route bundles would otherwise each hold a cache of their own.
const holder = globalThis as typeof globalThis & { passlaneDrawings?: LRUCache<string, Buffer, Wanted> };

/** Rendered drawings, bounded by bytes; one rendering per drawing at a time. */
function drawings(): LRUCache<string, Buffer, Wanted> {
  holder.passlaneDrawings ??= new LRUCache<string, Buffer, Wanted>({
    maxSize: CACHE_BYTES,
    sizeCalculation: (bytes, key) => bytes.length + key.length,
    fetchMethod: (_key, _stale, { context: { slug, hue, width, format } }) =>
      renderEmblem(emblemSvg(slug, hue), width, format),
    ignoreFetchAbort: true,
  });
  return holder.passlaneDrawings;
}

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
  const bytes = await drawings().fetch(key, { context: { ...post, width, format } });
  if (!bytes) throw new Error(`drawing ${key} was not rendered`);
  const etag = `"${createHash("sha256").update(key).digest("base64url").slice(0, 22)}"`;
  return { bytes, etag, version: String(post.hue) };
}
