import { createHash } from "node:crypto";
import sharp from "sharp";
import { client } from "@/db/client";
import { productImagePath } from "@/lib/catalog/rules";
import { ShopError } from "@/lib/platform/errors";
import { emblemSvg, type ImageFormat, renderEmblem } from "@/lib/platform/images/artwork";
import { cachedImage } from "@/lib/platform/images/image-cache";
import type { ImageWidth } from "@/lib/platform/images/widths";
import { IMAGE_LIMIT_PIXELS } from "./commands";

export type ProductImage = {
  bytes: Buffer;
  etag: string;
  /** the `v` of the picture's address today: with it, an answer may be kept for ever */
  version: string;
};
type Source = { id: number; image: string; hue: number };
type Wanted = Source & { width: ImageWidth; format: ImageFormat };

/**
 * A product's picture, square, `width` pixels wide (spec §3 "product image").
 * @throws ShopError product_unknown
 */
export async function getProductImage(
  id: number,
  { width, format }: { width: ImageWidth; format: ImageFormat },
): Promise<ProductImage> {
  const [found] = await client()<Source[]>`
    select p.id, p.image, c.hue from products p join categories c on c.slug = p.category where p.id = ${id}`;
  if (!found) throw new ShopError("product_unknown");
  const key = `${found.image} ${found.hue} ${width} ${format}`;
  const bytes = await cachedImage(`product ${key}`, () => render({ ...found, width, format }));
  const etag = `"${createHash("sha256").update(key).digest("base64url").slice(0, 22)}"`;
  const path = productImagePath(id, found.image);
  return { bytes, etag, version: new URL(path, "http://self.invalid").searchParams.get("v") ?? "" };
}

async function render({ image, hue, width, format }: Wanted): Promise<Buffer> {
  if (image.startsWith("emblem:"))
    return renderEmblem(emblemSvg(image.slice("emblem:".length), hue), width, format);
  const [stored] = await client()<{ mime: string; bytes: Buffer }[]>`
    select mime, bytes from product_images where hash = ${image}`;
  if (!stored) throw new Error(`picture ${image} is not stored`);
  const picture = await openPicture(stored, width);
  const squared = picture.resize(width, width, {
    fit: "contain",
    background: { r: 0, g: 0, b: 0, alpha: 0 },
  });
  if (format === "avif") return squared.avif({ quality: 62, effort: 4 }).toBuffer();
  if (format === "webp") return squared.webp({ quality: 86 }).toBuffer();
  return squared.png({ compressionLevel: 9 }).toBuffer();
}

/** A drawing is drawn at the wanted size instead of being enlarged. */
async function openPicture({ mime, bytes }: { mime: string; bytes: Buffer }, width: number) {
  const limits = { limitInputPixels: IMAGE_LIMIT_PIXELS };
  if (mime !== "image/svg+xml") return sharp(bytes, limits).rotate();
  const own = await sharp(bytes, limits).metadata();
  const density = Math.min(
    2400,
    Math.max(1, (72 * width) / Math.max(own.width ?? width, own.height ?? width)),
  );
  return sharp(bytes, { ...limits, density });
}
