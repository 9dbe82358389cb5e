import { readFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import type { ImageWidth } from "./widths";

export type ImageFormat = "avif" | "webp" | "png";
export type PictureFile = { mime: string; bytes: Buffer };

/** A small file may unfold into a huge picture; more pixels than this are never decoded. */
export const IMAGE_LIMIT_PIXELS = 40_000_000;

const files = new Map<string, Promise<Buffer>>();

/** A picture that the shop itself ships; read once, because it changes only with a new version. */
export function readBuiltInPicture(name: "home" | "placeholder"): Promise<Buffer> {
  const known = files.get(name) ?? readFile(join(process.cwd(), "db/seed/images", `${name}.svg`));
  files.set(name, known);
  return known;
}

/** The whole picture on a square of `width` pixels, transparent around it. */
export async function renderSquare(
  file: PictureFile,
  { width, format }: { width: ImageWidth; format: ImageFormat },
): Promise<Buffer> {
  const picture = await openPicture(file, width);
  const square = picture.resize(width, width, {
    fit: "contain",
    background: { r: 0, g: 0, b: 0, alpha: 0 },
  });
  if (format === "avif")
    return square.avif({ quality: 62, effort: 4, chromaSubsampling: "4:4:4" }).toBuffer();
  if (format === "webp") return square.webp({ quality: 86, smartSubsample: true }).toBuffer();
  return square.png({ compressionLevel: 9, palette: false }).toBuffer();
}

/** Draws an SVG at the wanted size instead of enlarging its pixels. */
async function openPicture({ mime, bytes }: PictureFile, width: number) {
  const limits = { limitInputPixels: IMAGE_LIMIT_PIXELS };
  if (mime !== "image/svg+xml") return sharp(bytes, limits).rotate();
  const own = await sharp(bytes, limits).metadata();
  const density = Math.min(
    2400,
    Math.max(1, (72 * width) / Math.max(own.width ?? width, own.height ?? width)),
  );
  return sharp(bytes, { ...limits, density });
}
