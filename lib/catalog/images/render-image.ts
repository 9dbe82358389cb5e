import { createHash } from "node:crypto";
import { eq } from "drizzle-orm";
import { db } from "@/db/client";
import { productImages, products } from "@/db/schema/catalog";
import { ShopError } from "@/lib/platform/errors";
import { pictureBucket } from "@/lib/platform/images/picture-bucket";
import {
  cachedImage,
  type ImageFormat,
  type PictureFile,
  readBuiltInPicture,
  renderFigure,
  renderSquare,
} from "@/lib/platform/images/render";
import type { ImageWidth } from "@/lib/platform/images/widths";
import { DRAWING, imageVersion, PLACEHOLDER } from "./rules";
import { isPictureShown } from "./store-picture";

export type RenderedImage = {
  bytes: Buffer;
  etag: string;
  /** the current `v` of the picture's address: a response for it is immutable; null where the placeholder stands in */
  version: string | null;
};
type Size = { width: ImageWidth; format: ImageFormat };

async function findPicture(image: string): Promise<PictureFile> {
  if (image === PLACEHOLDER) return { mime: DRAWING, bytes: await readBuiltInPicture("placeholder") };
  const [stored] = await db
    .select({ mime: productImages.mime, drawn: productImages.drawn })
    .from(productImages)
    .where(eq(productImages.hash, image));
  if (!stored) throw new Error(`picture ${image} is not stored`);
  if (stored.mime === DRAWING) return { mime: "image/webp", bytes: stored.drawn ?? Buffer.alloc(0) };
  return { mime: stored.mime, bytes: (await pictureBucket()?.read(image)) ?? (await readStored(image)) };
}

async function readStored(hash: string): Promise<Buffer> {
  const [stored] = await db
    .select({ bytes: productImages.bytes })
    .from(productImages)
    .where(eq(productImages.hash, hash));
  if (!stored) throw new Error(`picture ${hash} is not stored`);
  return stored.bytes;
}

/**
 * A stored picture, or the placeholder, `width` pixels wide: as a square, or as a figure in its own proportions. The
 * placeholder stands in for a drawing that a job has not drawn yet, or that the shop does not draw.
 */
export async function renderImage(
  image: string,
  size: Size,
  shape: "square" | "figure" = "square",
): Promise<RenderedImage> {
  const isShown = image === PLACEHOLDER || (await isPictureShown(image));
  const shown = isShown ? image : PLACEHOLDER;
  const key = `${shown} ${size.width} ${size.format}${shape === "figure" ? " figure" : ""}`;
  const render = shape === "figure" ? renderFigure : renderSquare;
  const bytes = await cachedImage(`picture ${key}`, async () => render(await findPicture(shown), size));
  const etag = `"${createHash("sha256").update(key).digest("base64url").slice(0, 22)}"`;
  return { bytes, etag, version: isShown ? imageVersion(image) : null };
}

/**
 * A product's picture, square, `width` pixels wide (docs/product.md#31-fields-in-calls).
 * @throws ShopError product_unknown
 */
export async function getProductImage(id: number, size: Size): Promise<RenderedImage> {
  const [product] = await db.select({ image: products.image }).from(products).where(eq(products.id, id));
  if (!product) throw new ShopError("product_unknown");
  return renderImage(product.image, size);
}

/** A stored picture by its hash. @throws ShopError image_unknown */
export async function findImage(
  hash: string,
  size: Size,
  shape: "square" | "figure" = "square",
): Promise<RenderedImage> {
  const [stored] = await db
    .select({ hash: productImages.hash })
    .from(productImages)
    .where(eq(productImages.hash, hash));
  if (!stored) throw new ShopError("image_unknown");
  return renderImage(stored.hash, size, shape);
}
