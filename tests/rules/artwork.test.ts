import { createHash } from "node:crypto";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { emblemSvg, IMAGE_WIDTHS, renderEmblem } from "@/lib/platform/images/artwork";

const HUES = [28, 70, 110, 155, 200, 250, 295, 345];
const seeds = Array.from({ length: 100 }, (_, i) => `product-${i}`);

/** The picture in 24 × 24 grey points: what is left of an emblem when it is seen small. */
async function small(svg: string): Promise<Buffer> {
  return sharp(Buffer.from(svg)).resize(24, 24).greyscale().normalise().raw().toBuffer();
}

describe("emblemSvg", () => {
  it("draws the same picture for the same seed, always", () => {
    for (const seed of seeds) expect(emblemSvg(seed, 200)).toBe(emblemSvg(seed, 200));
    // Pinned: a change here would silently redraw every stored product.
    const pinned = createHash("sha256").update(emblemSvg("pinned", 250)).digest("hex").slice(0, 16);
    expect(pinned).toBe("69b3f7822f5ef520");
  });

  it("has no text, no script, no reference to anything outside, and no broken number", () => {
    for (const [i, seed] of seeds.entries()) {
      const svg = emblemSvg(seed, HUES[i % 8] ?? 0);
      expect(svg).not.toMatch(/<text|<script|href|NaN|undefined|Infinity/);
      expect(svg.length).toBeLessThan(6000);
    }
  });

  it("does not let a seed into the markup", () => {
    expect(emblemSvg('"/><script>alert(1)</script>', 10)).not.toContain("alert");
  });

  it("tells 100 products apart even when seen small and without colour", async () => {
    const pictures = await Promise.all(seeds.map((seed) => small(emblemSvg(seed, 200))));
    for (const [i, a] of pictures.entries()) {
      for (const b of pictures.slice(i + 1)) {
        const distance = a.reduce((sum, value, at) => sum + Math.abs(value - (b[at] ?? 0)), 0) / a.length;
        expect(distance).toBeGreaterThan(4);
      }
    }
  });
});

describe("renderEmblem", () => {
  const svg = emblemSvg("lumen-notes", 28);

  it.each(["avif", "webp", "png"] as const)("renders %s at every served width", async (format) => {
    for (const width of IMAGE_WIDTHS.slice(0, 3)) {
      const meta = await sharp(await renderEmblem(svg, width, format)).metadata();
      expect([meta.width, meta.height]).toEqual([width, width]);
      expect(meta.format).toBe(format === "avif" ? "heif" : format);
    }
  });

  it("stays small", async () => {
    for (const [i, seed] of seeds.slice(0, 24).entries()) {
      const bytes = await renderEmblem(emblemSvg(seed, HUES[i % 8] ?? 0), 320, "webp");
      expect(bytes.length).toBeLessThan(14_000);
    }
  });

  it("refuses any other width", async () => {
    await expect(renderEmblem(svg, 500, "webp")).rejects.toThrow(RangeError);
  });
});
