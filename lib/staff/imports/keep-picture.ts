import { and, eq, sql } from "drizzle-orm";
import { db, shopNow, transaction } from "@/db/client";
import { productImages } from "@/db/schema/catalog";
import { importPictures } from "@/db/schema/staff";
import { storePicture } from "@/lib/catalog/images/store-picture";
import { InvalidPictureError, validatePicture } from "@/lib/catalog/images/validate-picture";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import { fileName } from "./rules";

/**
 * Keeps a picture for the lines of the viewer's next catalogue file that name it.
 * @throws ShopError picture_type, picture_broken, picture_pixels, picture_vector, picture_complex, pictures_busy
 */
export async function keepPicture(
  { userId }: StaffViewer,
  name: string,
  file: AsyncIterable<Buffer>,
): Promise<{ name: string }> {
  const chunks: Buffer[] = [];
  for await (const chunk of file) chunks.push(chunk);
  const picture = await validatePicture(Buffer.concat(chunks), { patient: false }).catch((error: unknown) => {
    if (!(error instanceof InvalidPictureError)) throw error;
    throw new ShopError(error.reason.error, { params: error.reason.values });
  });
  const { hash } = picture;
  await transaction(async (tx) => {
    await storePicture(tx, picture);
    await tx
      .insert(importPictures)
      .values({ userId, name: fileName(name), hash })
      .onConflictDoUpdate({
        target: [importPictures.userId, importPictures.name],
        set: { hash, createdAt: shopNow },
      });
  });
  return { name: fileName(name) };
}

/**
 * Reads the pictures that a catalogue file names, from those that the viewer sent. A browser gives the names of chosen
 * files without their folders, so that two pictures with the same name cannot be told apart.
 */
export function pictureReader({ userId }: StaffViewer): (path: string) => Promise<Buffer> {
  const paths = new Map<string, string>();
  return async (path) => {
    const name = fileName(path);
    const first = paths.get(name) ?? path;
    paths.set(name, first);
    if (first !== path) throw new InvalidPictureError("picture_twice", { name, first, second: path });
    const [picture] = await db
      .select({ bytes: productImages.bytes })
      .from(importPictures)
      .innerJoin(productImages, eq(productImages.hash, importPictures.hash))
      .where(and(eq(importPictures.userId, userId), eq(importPictures.name, name)));
    if (!picture) throw new InvalidPictureError("picture_not_sent", { name });
    return picture.bytes;
  };
}

/** Deletes the pictures that were sent for a file more than a day ago. */
export async function deleteOldPictures(hours: number): Promise<void> {
  await db.delete(importPictures).where(sql`created_at < shop_now() - make_interval(hours => ${hours})`);
}
