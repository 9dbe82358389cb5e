import { existsSync, readdirSync, readFileSync } from "node:fs";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { IMAGE_LIMIT_PIXELS, renderSquare } from "@/lib/platform/images/render";
import { IMAGE_WIDTHS } from "@/lib/platform/images/widths";

const SEED = "db/seed";
const lines = readFileSync(`${SEED}/catalog.jsonl`, "utf8")
  .split("\n")
  .filter(Boolean)
  .map((line) => JSON.parse(line) as { kind: string; slug: string; image?: string });
const products = lines.filter(({ kind }) => kind === "product");
const posts = readdirSync(`${SEED}/blog`);
const files = [
  ...products.map(({ image }) => `${SEED}/${image}`),
  ...posts.map((slug) => `${SEED}/blog/${slug}/picture.svg`),
  `${SEED}/images/home.svg`,
  `${SEED}/images/placeholder.svg`,
];

/** The image as 24 × 24 greyscale pixels, to compare images at thumbnail size. */
const toThumbnail = (file: string) =>
  sharp(file, { limitInputPixels: IMAGE_LIMIT_PIXELS })
    .resize(24, 24)
    .greyscale()
    .normalise()
    .raw()
    .toBuffer();

describe("demo catalog images", () => {
  it("exist for each product and post, without unused files", () => {
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
    expect(readdirSync(`${SEED}/images`).map((name) => `${SEED}/images/${name}`)).toEqual(
      expect.arrayContaining(files.filter((file) => file.startsWith(`${SEED}/images/`))),
    );
    expect(readdirSync(`${SEED}/images`)).toHaveLength(products.length + 2);
  });

  it("are SVG without text, scripts and external references", () => {
    for (const file of files) {
      const svg = readFileSync(file, "utf8");
      expect(svg).not.toMatch(/<text|<script|href|NaN|undefined|Infinity/);
      expect(svg.length).toBeLessThan(6000);
    }
  });

  it("differ from each other at thumbnail size without colour", async () => {
    const thumbnails = await Promise.all(files.map(toThumbnail));
    const similar = thumbnails.flatMap((a, i) =>
      thumbnails.slice(i + 1).flatMap((b, j) => {
        const distance =
          a.reduce((sum, value, index) => sum + Math.abs(value - (b[index] ?? 0)), 0) / a.length;
        return distance > 4 ? [] : [`${files[i]} and ${files[i + 1 + j]}: ${distance.toFixed(1)}`];
      }),
    );
    expect(similar).toEqual([]);
  });
});

describe("renderSquare", () => {
  const file = { mime: "image/svg+xml", bytes: readFileSync(files[0]!) };

  it.each(["avif", "webp", "png"] as const)("renders %s at every served width", async (format) => {
    for (const width of IMAGE_WIDTHS.slice(0, 3)) {
      const metadata = await sharp(await renderSquare(file, { width, format })).metadata();
      expect([metadata.width, metadata.height]).toEqual([width, width]);
      expect(metadata.format).toBe(format === "avif" ? "heif" : format);
    }
  });

  it("renders small files", async () => {
    for (const path of files.slice(0, 24)) {
      const picture = { mime: "image/svg+xml", bytes: readFileSync(path) };
      expect((await renderSquare(picture, { width: 320, format: "webp" })).length).toBeLessThan(14_000);
    }
  });
});
