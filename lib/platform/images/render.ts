import { readFile } from "node:fs/promises";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";
import { memoize } from "@/lib/platform/memoize";
import { memoryCache } from "@/lib/platform/memory-cache";
import type { ImageWidth } from "./widths";

export type ImageFormat = "avif" | "webp" | "png";
export type PictureFile = { mime: string; bytes: Buffer };

/** Larger pictures are not decoded, because a small file may unfold into a huge picture. */
export const IMAGE_LIMIT_PIXELS = 40_000_000;

// One thread an image: by default an image takes all processors, and pages wait while it is made.
sharp.concurrency(1);

const MAX_CACHE_BYTES = 48 * 1024 * 1024;

/** A rendered image from the memory cache. `key` names everything that it shows. Concurrent calls share one render. */
export async function cachedImage(key: string, render: () => Promise<Buffer>): Promise<Buffer> {
  const images = memoryCache<Buffer>("images", {
    maxBytes: MAX_CACHE_BYTES,
    sizeOf: ({ length }) => length,
  });
  const image = await images.get(key, render);
  if (!image) throw new Error(`image ${key} was not rendered`);
  return image;
}

/** A picture that is part of the release, such as "home" and "placeholder". It is read once. */
export const readBuiltInPicture = memoize(
  (name): Promise<Buffer> => readFile(join(process.cwd(), "db/seed/images", `${name}.svg`)),
);

type Rendering = { width: ImageWidth; format: ImageFormat };

/** Fits the picture into a square of `width` pixels with a transparent background. */
export async function renderSquare(file: PictureFile, { width, format }: Rendering): Promise<Buffer> {
  const picture = await openPicture(file, width);
  const background = { r: 0, g: 0, b: 0, alpha: 0 };
  return encode(picture.resize(width, width, { fit: "contain", background }), format);
}

/** Renders the picture `width` pixels wide in its own proportions. */
export const renderFigure = async (file: PictureFile, { width, format }: Rendering): Promise<Buffer> =>
  encode((await openPicture(file, width)).resize(width), format);

async function encode(picture: Sharp, format: ImageFormat): Promise<Buffer> {
  if (format === "avif")
    return picture.avif({ quality: 62, effort: 4, chromaSubsampling: "4:4:4" }).toBuffer();
  if (format === "webp") return picture.webp({ quality: 86, smartSubsample: true }).toBuffer();
  return picture.png({ compressionLevel: 9, palette: false }).toBuffer();
}

/** Opens a picture. An SVG is drawn at the requested size instead of being enlarged. */
async function openPicture({ mime, bytes }: PictureFile, width: number) {
  const limits = { limitInputPixels: IMAGE_LIMIT_PIXELS };
  if (mime !== "image/svg+xml") return sharp(bytes, limits).rotate();
  const size = await sharp(bytes, limits).metadata();
  const longerSide = Math.max(size.width ?? width, size.height ?? width);
  const density = Math.min(2400, Math.max(1, (72 * width) / longerSide));
  return sharp(bytes, { ...limits, density });
}
