import { eq, inArray, sql } from "drizzle-orm";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { closeDatabase, db, transaction } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { productImages, products } from "@/db/schema/catalog";
import { copyMissingPictures } from "@/lib/catalog/images/copy-pictures";
import { findImage, getProductImage } from "@/lib/catalog/images/render-image";
import { storePicture } from "@/lib/catalog/images/store-picture";
import { uploadPicture } from "@/lib/catalog/images/upload-picture";
import { pictureHash } from "@/lib/catalog/images/validate-picture";
import { copyMissingPicturesJob, copyPictureJob } from "@/lib/catalog/jobs";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { clearQueue } from "../setup/queue";
import { S3Server } from "../setup/s3-server";

const server = new S3Server();
const SIZE = { width: 480, format: "png" } as const;
const globals = globalThis as typeof globalThis & { passlaneMemoryCaches?: unknown };
let buckets = 0;

beforeAll(async () => {
  Object.assign(env(), await server.start());
  await clearQueue();
});
/** An empty, reachable bucket, and no rendered picture in memory. */
beforeEach(() => {
  server.objects.clear();
  server.failure = undefined;
  globals.passlaneMemoryCaches = undefined;
  openNewBucket();
});
afterAll(async () => {
  await server.stop();
  await closeDatabase();
});

function openNewBucket(): void {
  Object.assign(env(), { PICTURE_BUCKET: `shop/pictures${"/x".repeat(++buckets)}` });
}
const keyOf = (hash: string) => `${env().PICTURE_BUCKET}/${hash}`;

let colour = 0;
/** A picture that no other test has. */
const draw = async () => {
  const background = { r: 10 + ++colour, g: 20, b: 30 };
  const bytes = await sharp({ create: { width: 400, height: 300, channels: 3, background } })
    .png()
    .toBuffer();
  return { bytes, hash: pictureHash(bytes), mime: "image/png" };
};
const upload = async () => {
  const { bytes } = await draw();
  return uploadPicture(
    (async function* () {
      yield bytes;
    })(),
  );
};
const queued = async () =>
  (
    await db.execute<{ hash: string }>(sql`
      select key as hash from graphile_worker.jobs where task_identifier = 'copy-picture'`)
  ).map(({ hash }) => hash);

describe("a picture with PICTURE_BUCKET", () => {
  it("is copied by a job once it is uploaded, with its media type, and read from the bucket", async () => {
    const { hash } = await upload();
    expect(await queued()).toEqual([hash]);
    await copyPictureJob.run({ hash });
    const [row] = await db.select().from(productImages).where(eq(productImages.hash, hash));
    expect(server.objects.get(keyOf(hash))?.body.equals(row!.bytes)).toBe(true);
    // The row keeps only its media type, so what is shown comes from the bucket.
    await db
      .update(productImages)
      .set({ bytes: Buffer.from("") })
      .where(eq(productImages.hash, hash));
    const product = await createProduct();
    await db.update(products).set({ image: hash }).where(eq(products.id, product.id));
    const { bytes } = await getProductImage(product.id, SIZE);
    const { data } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
    expect(data.length).toBeGreaterThan(1000);
    expect((await findImage(hash, { ...SIZE, width: 960 })).bytes.length).toBeGreaterThan(100);
    await db
      .delete(products)
      .where(eq(products.id, product.id))
      .catch(() => {});
    await db.update(productImages).set({ bytes: row!.bytes }).where(eq(productImages.hash, hash));
  });

  it("that is stored twice has one copy job, and none when the import that stores it is rolled back", async () => {
    await clearQueue();
    const picture = await draw();
    const undone = transaction(async (tx) => {
      await storePicture(tx, picture);
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect(await queued()).toEqual([]);
    for (let i = 0; i < 2; i++) await transaction((tx) => storePicture(tx, picture));
    expect(await queued()).toEqual([picture.hash]);
  });

  it.each([403, 500, "silent", "away"] as const)(
    "is read from its row while the bucket does not return it (%s)",
    async (failure) => {
      const { hash } = await upload();
      await copyPictureJob.run({ hash });
      const errors = vi.spyOn(log, "error").mockImplementation(() => {});
      const { S3_ENDPOINT } = env();
      if (failure === "away") {
        Object.assign(env(), { S3_ENDPOINT: "http://127.0.0.1:1" });
        openNewBucket();
      } else server.failure = failure;
      try {
        expect((await findImage(hash, SIZE)).bytes.length).toBeGreaterThan(100);
        const asked = server.requests;
        expect((await findImage(hash, { ...SIZE, width: 960 })).bytes.length).toBeGreaterThan(100);
        expect(server.requests).toBe(asked); // the bucket is left out for a while
        expect(errors).toHaveBeenCalledTimes(1);
      } finally {
        errors.mockRestore();
        Object.assign(env(), { S3_ENDPOINT });
      }
    },
  );

  it("is read from its row when the bucket lacks it or has other content", async () => {
    const { hash } = await upload();
    expect((await findImage(hash, SIZE)).bytes.length).toBeGreaterThan(100);
    server.objects.set(keyOf(hash), { body: Buffer.from("other content"), modifiedAt: new Date() });
    expect((await findImage(hash, { ...SIZE, width: 960 })).bytes.length).toBeGreaterThan(100);
  });

  it("that was stored before the bucket was set is copied at night or by the command, which continues a failed run", async () => {
    const pictures = await Promise.all(Array.from({ length: 20 }, draw));
    Object.assign(env(), { PICTURE_BUCKET: undefined });
    for (const picture of pictures) await transaction((tx) => storePicture(tx, picture));
    expect(await copyMissingPictures()).toBe(0);
    openNewBucket();
    const hashes = pictures.map(({ hash }) => hash);
    server.failure = 500;
    await expect(copyMissingPictures()).rejects.toThrow("the store answers 500");
    server.failure = undefined;
    server.objects.set(keyOf(hashes[0]!), { body: pictures[0]!.bytes, modifiedAt: new Date() });
    const stored = await db.$count(productImages);
    expect(await copyMissingPictures()).toBe(stored - 1);
    for (const { hash, bytes } of pictures)
      expect(server.objects.get(keyOf(hash))?.body.equals(bytes)).toBe(true);
    const before = server.requests;
    await copyMissingPicturesJob.run(undefined);
    expect(server.requests - before).toBe(Math.ceil(stored / 3)); // lists only, of three objects a page
    await db.delete(productImages).where(inArray(productImages.hash, hashes));
  });
});
