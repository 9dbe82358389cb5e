import { eq, gt, inArray } from "drizzle-orm";
import { db } from "@/db/client";
import { productImages } from "@/db/schema/catalog";
import { pictureBucket } from "@/lib/platform/images/picture-bucket";

/** Copies a stored picture into PICTURE_BUCKET; does nothing without one. @throws BucketError */
export async function copyPicture(hash: string): Promise<void> {
  const bucket = pictureBucket();
  if (!bucket) return;
  const [picture] = await db.select().from(productImages).where(eq(productImages.hash, hash));
  if (picture) await bucket.put(hash, picture);
}

const HASHES_AT_ONCE = 1_000;
const COPIES_AT_ONCE = 8;

/**
 * Copies the stored pictures that PICTURE_BUCKET lacks, such as those from before it was set. Returns how many it copied.
 * @throws BucketError; what was copied stays, and another run continues
 */
export async function copyMissingPictures(): Promise<number> {
  const bucket = pictureBucket();
  if (!bucket) return 0;
  const there = new Set<string>();
  for await (const hash of bucket.listHashes()) there.add(hash);
  let copied = 0;
  for (let last = ""; ; ) {
    const stored = await db
      .select({ hash: productImages.hash })
      .from(productImages)
      .where(gt(productImages.hash, last))
      .orderBy(productImages.hash)
      .limit(HASHES_AT_ONCE);
    const missing = stored.map(({ hash }) => hash).filter((hash) => !there.has(hash));
    for (let from = 0; from < missing.length; from += COPIES_AT_ONCE) {
      const some = missing.slice(from, from + COPIES_AT_ONCE);
      const pictures = await db.select().from(productImages).where(inArray(productImages.hash, some));
      await Promise.all(pictures.map((picture) => bucket.put(picture.hash, picture)));
      copied += pictures.length;
    }
    if (stored.length < HASHES_AT_ONCE) return copied;
    last = stored.at(-1)!.hash;
  }
}
