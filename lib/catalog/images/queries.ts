import { createHash } from "node:crypto";
import { client } from "@/db/client";
import { ShopError } from "@/lib/platform/errors";
import {
  cachedImage,
  type ImageFormat,
  type PictureFile,
  readBuiltInPicture,
  renderSquare,
} from "@/lib/platform/images/render";
import type { ImageWidth } from "@/lib/platform/images/widths";
import { imageVersion, PLACEHOLDER } from "./rules";

export type RenderedImage = {
  bytes: Buffer;
  etag: string;
  /** the `v` of the picture's address today: with it, an answer may be kept for ever */
  version: string;
};
type Size = { width: ImageWidth; format: ImageFormat };

async function findPicture(image: string): Promise<PictureFile> {
  if (image === PLACEHOLDER) return { mime: "image/svg+xml", bytes: await readBuiltInPicture("placeholder") };
  const [stored] = await client()<PictureFile[]>`
    select mime, bytes from product_images where hash = ${image}`;
  if (!stored) throw new Error(`picture ${image} is not stored`);
  return stored;
}

/** A stored picture, or the placeholder, as a square `width` pixels wide. */
export async function renderImage(image: string, size: Size): Promise<RenderedImage> {
  const key = `${image} ${size.width} ${size.format}`;
  const bytes = await cachedImage(`picture ${key}`, async () => renderSquare(await findPicture(image), size));
  const etag = `"${createHash("sha256").update(key).digest("base64url").slice(0, 22)}"`;
  return { bytes, etag, version: imageVersion(image) };
}

/**
 * A product's picture, square, `width` pixels wide (docs/product.md#31-fields-in-calls).
 * @throws ShopError product_unknown
 */
export async function getProductImage(id: number, size: Size): Promise<RenderedImage> {
  const [found] = await client()<{ image: string }[]>`select image from products where id = ${id}`;
  if (!found) throw new ShopError("product_unknown");
  return renderImage(found.image, size);
}
