import { and, asc, eq, isNull } from "drizzle-orm";
import { db } from "@/db/client";
import { productImages } from "@/db/schema/catalog";
import { drawInProcess, RefusedPicture } from "@/lib/platform/drawing-process";
import { log } from "@/lib/platform/log";
import { DRAWING } from "./rules";

/**
 * Draws the stored drawings without pixels, one after the other. Those that cannot be drawn get an empty
 * picture, so that they are not tried again, and the placeholder is shown until someone uploads another
 * picture.
 */
export async function drawStoredPictures(): Promise<void> {
  const isUndrawn = and(eq(productImages.mime, DRAWING), isNull(productImages.drawn));
  for (;;) {
    const [stored] = await db
      .select({ hash: productImages.hash, bytes: productImages.bytes })
      .from(productImages)
      .where(isUndrawn)
      .orderBy(asc(productImages.hash))
      .limit(1);
    if (!stored) return;
    const { hash, bytes } = stored;
    const drawn = await drawInProcess("uploads", { job: "check" }, bytes, { patient: true }).catch(
      (error) => {
        if (!(error instanceof RefusedPicture)) throw error;
        log.warn({ hash, error: error.error, part: error.what }, "a stored drawing cannot be rendered");
        return { bytes: Buffer.alloc(0) };
      },
    );
    await db
      .update(productImages)
      .set({ drawn: drawn.bytes })
      .where(and(eq(productImages.hash, hash), isUndrawn));
  }
}
