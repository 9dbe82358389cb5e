import { eq, sql } from "drizzle-orm";
import { type Db, db } from "@/db/client";
import { productImages } from "@/db/schema/catalog";
import { env } from "@/lib/platform/env";
import { enqueue } from "@/lib/platform/jobs/queue";
import { CopyPicture } from "./contract-jobs";
import { DRAWING } from "./rules";
import { InvalidPictureError, type Picture } from "./validate-picture";

/** @throws InvalidPictureError when the shop has no picture with this hash */
export async function findStoredPicture(hash: string): Promise<{ hash: string }> {
  const [stored] = await db
    .select({ hash: productImages.hash })
    .from(productImages)
    .where(eq(productImages.hash, hash));
  if (!stored) throw new InvalidPictureError("line_picture");
  return stored;
}

/** Whether the shop has this picture and can show it. */
export async function isPictureShown(hash: string): Promise<boolean> {
  const [stored] = await db.execute(sql`
    select from product_images where hash = ${hash} and (mime <> ${DRAWING} or length(drawn) > 0)`);
  return stored !== undefined;
}

/** Stores a picture under its hash, once. A job copies a new one into PICTURE_BUCKET, if that is set. */
export async function storePicture(tx: Db, { hash, mime, bytes, drawn }: Picture): Promise<void> {
  const [added] = await tx
    .insert(productImages)
    .values({ hash, mime, bytes, drawn })
    .onConflictDoUpdate({
      target: productImages.hash,
      set: { drawn: sql`excluded.drawn` },
      setWhere: sql`excluded.drawn is not null and coalesce(length(product_images.drawn), 0) = 0`,
    })
    .returning({ hash: productImages.hash });
  if (added && env().PICTURE_BUCKET) await enqueue(tx, CopyPicture, { hash }, { jobKey: hash });
}
