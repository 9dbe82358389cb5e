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

const SIDE = 16;
const LAST = SIDE - 1;
/** Above this similarity two images look alike; 1 is the same picture. */
const MAX_SIMILARITY = 0.9;

/** The image as 16 × 16 grey pixels with mean 0 and deviation 1, so that only its shapes count. */
async function toShape(file: string): Promise<number[]> {
  const image = sharp(file, { limitInputPixels: IMAGE_LIMIT_PIXELS });
  const pixels = [...(await image.resize(SIDE, SIDE).greyscale().raw().toBuffer())];
  const mean = pixels.reduce((sum, value) => sum + value, 0) / pixels.length;
  const deviation = Math.sqrt(pixels.reduce((sum, value) => sum + (value - mean) ** 2, 0) / pixels.length);
  return pixels.map((value) => (value - mean) / deviation);
}

/** The shape turned by each quarter, and its mirror image turned likewise. */
const turns = (shape: number[]) =>
  [
    (x: number, y: number) => [x, y],
    (x: number, y: number) => [LAST - y, x],
    (x: number, y: number) => [LAST - x, LAST - y],
    (x: number, y: number) => [y, LAST - x],
    (x: number, y: number) => [LAST - x, y],
    (x: number, y: number) => [y, x],
    (x: number, y: number) => [x, LAST - y],
    (x: number, y: number) => [LAST - y, LAST - x],
  ].map((turn) =>
    shape.map((_, i) => {
      const [x = 0, y = 0] = turn(i % SIDE, Math.floor(i / SIDE));
      return shape[y * SIDE + x] ?? 0;
    }),
  );

/** From 0 to 1. Turned and mirrored pictures are compared too, and pictures with light and dark exchanged. */
const similarity = (turnsOfOne: number[][], other: number[]) =>
  Math.max(
    ...turnsOfOne.map((shape) =>
      Math.abs(shape.reduce((sum, value, i) => sum + value * (other[i] ?? 0), 0) / other.length),
    ),
  );

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

  it("contain no two similar pictures, even when turned, mirrored or inverted", async () => {
    const shapes = await Promise.all(files.map(toShape));
    const alike = shapes.flatMap((shape, i) => {
      const turned = turns(shape);
      return shapes.slice(i + 1).flatMap((other, j) => {
        const value = similarity(turned, other);
        return value < MAX_SIMILARITY ? [] : [`${files[i]} and ${files[i + 1 + j]}: ${value.toFixed(2)}`];
      });
    });
    expect(alike).toEqual([]);
  });

  it("of posts come with a figure of one size", async () => {
    for (const slug of posts) {
      const { width, height } = await sharp(`${SEED}/blog/${slug}/figure.svg`).metadata();
      expect([slug, width, height]).toEqual([slug, 960, 400]);
      expect(readFileSync(`${SEED}/blog/${slug}/figure.svg`, "utf8")).not.toMatch(/<text|<script|href|NaN/);
    }
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
