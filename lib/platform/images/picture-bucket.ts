import { createHash } from "node:crypto";
import { type Bucket, type OptionalRead, openBucket, optionalReads } from "@/lib/platform/bucket";
import { env } from "@/lib/platform/env";
import type { PictureFile } from "./render";

/** The pictures in the bucket PICTURE_BUCKET, each under its sha-256. The database has all of them too. */
export type PictureBucket = {
  put(hash: string, picture: PictureFile): Promise<void>;
  /** The content of a picture; undefined where the bucket lacks it, has other content, or does not answer. */
  read(hash: string): Promise<Buffer | undefined>;
  listHashes(): AsyncGenerator<string>;
};

let opened: { location: string; pictures: PictureBucket } | undefined;

/** Undefined without PICTURE_BUCKET. */
export function pictureBucket(): PictureBucket | undefined {
  const { PICTURE_BUCKET: location } = env();
  if (!location) return undefined;
  if (opened?.location !== location)
    opened = { location, pictures: openPictures(openBucket(location), optionalReads(location)) };
  return opened.pictures;
}

const openPictures = (bucket: Bucket, readOptional: OptionalRead): PictureBucket => ({
  put: (hash, { mime, bytes }) => bucket.put(hash, new Uint8Array(bytes), { "content-type": mime }),
  async read(hash) {
    const bytes = await readOptional(() => bucket.get(hash));
    return bytes && createHash("sha256").update(bytes).digest("hex") === hash ? bytes : undefined;
  },
  async *listHashes() {
    for await (const { key } of bucket.list()) yield key;
  },
});
