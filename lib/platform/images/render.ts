import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { drawInProcess } from "@/lib/platform/drawing-process";
import { memoize } from "@/lib/platform/memoize";
import { memoryCache } from "@/lib/platform/memory-cache";
import type { ImageWidth } from "./widths";

export type ImageFormat = "avif" | "webp" | "png";
export type PictureFile = { mime: string; bytes: Buffer };

/** Larger pictures are not decoded, because a small file may unfold into a huge picture. */
export const IMAGE_LIMIT_PIXELS = 40_000_000;

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
export const renderSquare = async (file: PictureFile, rendering: Rendering): Promise<Buffer> =>
  (await drawInProcess("pages", { job: "square", ...rendering }, file.bytes)).bytes;

/** Renders the picture `width` pixels wide in its own proportions. */
export const renderFigure = async (file: PictureFile, rendering: Rendering): Promise<Buffer> =>
  (await drawInProcess("pages", { job: "figure", ...rendering }, file.bytes)).bytes;
