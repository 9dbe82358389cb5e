import { transaction } from "@/db/client";
import type { UploadedImage } from "@/lib/catalog/console/contract-editor";
import { storedPicture } from "@/lib/catalog/import/rules-line";
import { drawInProcess, RefusedPicture } from "@/lib/platform/drawing-process";
import { ShopError } from "@/lib/platform/errors";
import { storePicture } from "./store-picture";
import { pictureError, pictureHash } from "./validate-picture";

/** The longer side of a stored picture in pixels: twice the widest one that the shop shows. */
const STORED_SIDE = 1920;
/** The shorter side of an uploaded picture in pixels. */
const MINIMUM_SIDE = 240;

/**
 * Stores a separate picture made from an uploaded one: decoded completely, turned upright, at most STORED_SIDE pixels
 * wide and high, without metadata. An SVG becomes pixels, so that none of its scripts or references are kept.
 * @throws ShopError picture_type, picture_broken, picture_pixels, picture_small, picture_vector, picture_complex,
 * pictures_busy
 */
export async function uploadPicture(file: AsyncIterable<Buffer>): Promise<UploadedImage> {
  const chunks: Buffer[] = [];
  for await (const chunk of file) chunks.push(chunk);
  const { bytes, width = 0, height = 0 } = await redraw(Buffer.concat(chunks));
  const hash = pictureHash(bytes);
  await transaction((tx) => storePicture(tx, { hash, mime: "image/webp", bytes }));
  return { image: storedPicture(hash), hash, width, height };
}

async function redraw(bytes: Buffer) {
  try {
    const job = { job: "redraw", side: STORED_SIDE, minimumSide: MINIMUM_SIDE } as const;
    return await drawInProcess("uploads", job, bytes);
  } catch (error) {
    if (!(error instanceof RefusedPicture)) throw error;
    const [name, params] = pictureError(error, MINIMUM_SIDE);
    throw new ShopError(name, { params });
  }
}
