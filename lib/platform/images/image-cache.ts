import { memoryCache } from "@/lib/platform/memory-cache";

const MAX_BYTES = 48 * 1024 * 1024;

/** A rendered image from memory; `key` names all that it shows. One render per image at a time. */
export async function cachedImage(key: string, render: () => Promise<Buffer>): Promise<Buffer> {
  const images = memoryCache<Buffer>("images", { maxBytes: MAX_BYTES, sizeOf: ({ length }) => length });
  const image = await images.get(key, render);
  if (!image) throw new Error(`image ${key} was not rendered`);
  return image;
}
