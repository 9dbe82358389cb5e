import sharp, { type Metadata } from "sharp";
import { transaction } from "@/db/client";
import type { UploadedImage } from "@/lib/catalog/console/contract-editor";
import { storedPicture } from "@/lib/catalog/import/rules-line";
import { ShopError } from "@/lib/platform/errors";
import { IMAGE_LIMIT_PIXELS } from "@/lib/platform/images/render";
import { PICTURE_FORMATS, pictureHash, storePicture } from "./commands";

/** The longer side of a stored picture in pixels: twice the widest one that the shop shows. */
const STORED_SIDE = 1920;
/** The shorter side of an uploaded picture in pixels. */
const MINIMUM_SIDE = 240;
const MILLION = 1_000_000;

const refuse = (error: "picture_type" | "picture_broken" | "picture_pixels" | "picture_small", limit = 0) =>
  new ShopError(error, { params: { limit } });

/** The message of the library for more pixels than it may decode. */
const hasTooManyPixels = (error: unknown) => error instanceof Error && /pixel limit/i.test(error.message);

async function readMetadata(bytes: Buffer): Promise<Metadata> {
  try {
    // Dimensions are checked below. The library refuses some formats by their header, others only when they are decoded.
    return await sharp(bytes, { limitInputPixels: false }).metadata();
  } catch {
    throw refuse("picture_type");
  }
}

/**
 * Stores a picture of its own drawn from an uploaded one: decoded completely, turned upright, at most STORED_SIDE pixels
 * wide and high, without metadata. An SVG becomes pixels, so that none of its scripts or references are kept.
 * @throws ShopError picture_type, picture_broken, picture_pixels, picture_small
 */
export async function uploadPicture(file: AsyncIterable<Buffer>): Promise<UploadedImage> {
  const chunks: Buffer[] = [];
  for await (const chunk of file) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const { format, compression, width, height } = await readMetadata(bytes);
  const isSvg = format === "svg";
  if (!PICTURE_FORMATS[format === "heif" && compression === "av1" ? "avif" : format])
    throw refuse("picture_type");
  if (width * height > IMAGE_LIMIT_PIXELS) throw refuse("picture_pixels", IMAGE_LIMIT_PIXELS / MILLION);
  if (!isSvg && Math.min(width, height) < MINIMUM_SIDE) throw refuse("picture_small", MINIMUM_SIDE);
  const density = isSvg
    ? Math.min(2400, Math.max(1, (72 * STORED_SIDE) / Math.max(width, height)))
    : undefined;
  const { data, info } = await drawPicture(bytes, density);
  const hash = pictureHash(data);
  await transaction((tx) => storePicture(tx, { hash, mime: "image/webp", bytes: data }));
  return { image: storedPicture(hash), hash, width: info.width, height: info.height };
}

async function drawPicture(bytes: Buffer, density: number | undefined) {
  try {
    return await sharp(bytes, { limitInputPixels: IMAGE_LIMIT_PIXELS, failOn: "error", density })
      .rotate()
      .resize(STORED_SIDE, STORED_SIDE, { fit: "inside", withoutEnlargement: true })
      .webp({ quality: 92, smartSubsample: true })
      .toBuffer({ resolveWithObject: true });
  } catch (error) {
    throw hasTooManyPixels(error)
      ? refuse("picture_pixels", IMAGE_LIMIT_PIXELS / MILLION)
      : refuse("picture_broken");
  }
}
