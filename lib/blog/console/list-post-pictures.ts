import { sql } from "drizzle-orm";
import { db, listDb } from "@/db/client";
import { DRAWING } from "@/lib/catalog/images/rules";
import { pictureSize } from "@/lib/catalog/images/validate-picture";
import { rowCount } from "@/lib/platform/console/query";
import { memoryCache } from "@/lib/platform/memory-cache";
import type { PostPictures } from "./contract";

const MAX_PICTURES = 120;

/** The newest posts and products, whose pictures are offered. */
const PICTURED_POSTS = 100;
const PICTURED_PRODUCTS = 200;

/** The sizes of pictures, which never change under their hashes. */
const pictureSizes = memoryCache<{ width: number; height: number }>("picture-sizes", {
  maxBytes: 2 * 1024 * 1024,
  sizeOf: () => 16,
});

async function readPictureSize(hash: string) {
  const [picture] = await db.execute<{ bytes: Buffer }>(
    sql`select coalesce(drawn, bytes) as bytes from product_images
      where hash = ${hash} and (mime <> ${DRAWING} or length(drawn) > 0)`,
  );
  return picture && pictureSize(picture.bytes);
}

/** Pictures that a post can show: those of the newest posts, then those of the newest products. */
export async function listPostPictures(): Promise<PostPictures> {
  const used = await listDb.execute<{ hash: string; used_by: string }>(sql`
    with newest as materialized (
      select id, slug, image from posts order by published_at desc, id desc limit ${rowCount(PICTURED_POSTS)}),
    used as (
      select image as hash, slug, 1 as place, id from newest
      union all select m[1], p.slug, 1, p.id from newest p join post_texts t on t.post_id = p.id,
        regexp_matches(t.body, '\\]\\(figure/([0-9a-f]{64})/', 'g') as m
      union all (select image, slug, 2, id from products order by id desc limit ${rowCount(PICTURED_PRODUCTS)})),
    first as (select distinct on (hash) hash, slug, place, id from used order by hash, place, id)
    select hash, slug as used_by from first order by place, id limit ${rowCount(MAX_PICTURES)}`);
  const items: PostPictures["items"] = [];
  for (const { hash, used_by } of used) {
    const size = await pictureSizes.get(hash, () => readPictureSize(hash));
    if (size) items.push({ hash, ...size, used_by });
  }
  return { items, total: items.length };
}
