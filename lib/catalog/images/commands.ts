import { createHash } from "node:crypto";
import { eq } from "drizzle-orm";
import sharp from "sharp";
import { type Db, db } from "@/db/client";
import { productImages } from "@/db/schema/catalog";
import { env } from "@/lib/platform/env";
import { type Reason, reason } from "@/lib/platform/error-messages";
import type { ErrorName, ErrorParams } from "@/lib/platform/errors";
import { IMAGE_LIMIT_PIXELS } from "@/lib/platform/images/render";
import { enqueue } from "@/lib/platform/jobs/queue";
import { CopyPicture } from "./contract-jobs";

/** Maximum size of a product picture, in bytes. */
export const IMAGE_LIMIT_BYTES = 5 * 1024 * 1024;

/** The media types of the formats that a picture can have. */
export const PICTURE_FORMATS: Readonly<Record<string, string>> = {
  png: "image/png",
  jpeg: "image/jpeg",
  webp: "image/webp",
  svg: "image/svg+xml",
  avif: "image/avif",
};

export type Picture = { hash: string; mime: string; bytes: Buffer };

/** A picture that is refused, with its reason by name. */
export class InvalidPictureError extends Error {
  readonly reason: Reason;
  constructor(error: ErrorName, values?: ErrorParams) {
    const why = reason(error, values);
    super(why.message);
    this.reason = why;
  }
}

/**
 * The sha-256 and media type of a picture that decodes completely.
 * @throws InvalidPictureError when it is too large, broken, or of another type
 */
export async function validatePicture(bytes: Buffer): Promise<Picture> {
  if (bytes.length > IMAGE_LIMIT_BYTES) throw new InvalidPictureError("picture_large", { limit: 5 });
  try {
    const image = sharp(bytes, { limitInputPixels: IMAGE_LIMIT_PIXELS, failOn: "error" });
    const { format, compression } = await image.metadata();
    const mime = PICTURE_FORMATS[format === "heif" && compression === "av1" ? "avif" : (format ?? "")];
    if (!mime) throw new InvalidPictureError("picture_type");
    await image.resize(64, 64).toBuffer();
    return { hash: pictureHash(bytes), mime, bytes };
  } catch (error) {
    if (error instanceof InvalidPictureError) throw error;
    throw new InvalidPictureError("picture_broken");
  }
}

/** The width and height of a valid picture, in pixels. */
export async function pictureSize({ bytes }: Picture): Promise<{ width: number; height: number }> {
  const { width, height } = await sharp(bytes, { limitInputPixels: IMAGE_LIMIT_PIXELS }).metadata();
  return { width, height };
}

export const pictureHash = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

/** @throws InvalidPictureError when the shop has no picture with this hash */
export async function findStoredPicture(hash: string): Promise<{ hash: string }> {
  const [stored] = await db
    .select({ hash: productImages.hash })
    .from(productImages)
    .where(eq(productImages.hash, hash));
  if (!stored) throw new InvalidPictureError("line_picture");
  return stored;
}

/** Stores a picture under its hash, once. A job copies a new one into PICTURE_BUCKET, if that is set. */
export async function storePicture(tx: Db, { hash, mime, bytes }: Picture): Promise<void> {
  const [added] = await tx
    .insert(productImages)
    .values({ hash, mime, bytes })
    .onConflictDoNothing()
    .returning({ hash: productImages.hash });
  if (added && env().PICTURE_BUCKET) await enqueue(tx, CopyPicture, { hash }, { jobKey: hash });
}
