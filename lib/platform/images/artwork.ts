/**
 * Emblems of the invented applications: seeded geometry in one hue, one large simple form, no text
 * (docs/product.md#12-look). The same seed always draws the same picture, so nothing needs to be stored
 * but the seed. The forms themselves are in artwork-round.ts and artwork-cut.ts.
 */
import sharp from "sharp";
import { arches, bars, blocks, folds, rays, steps, waves, weave } from "./artwork-cut";
import type { Draw, Tones } from "./artwork-pen";
import { arcs, horizons, iris, lattice, lenses, moons, orbits, petals, rings, spiral } from "./artwork-round";
import { IMAGE_WIDTHS } from "./widths";

// The browser needs the widths without the renderer, so they live in a file of their own.
export { IMAGE_WIDTHS };

export type ImageFormat = "avif" | "webp" | "png";

/** Their order belongs to the stored pictures: adding a family redraws everything. */
const FORMS: readonly ((draw: Draw) => string)[] = [
  arches,
  arcs,
  bars,
  blocks,
  folds,
  horizons,
  iris,
  lattice,
  lenses,
  moons,
  orbits,
  petals,
  rays,
  rings,
  spiral,
  steps,
  waves,
  weave,
];

/** FNV-1a, then mulberry32: small, fast, and the same on every machine. */
function randomFrom(seed: string): () => number {
  let state = 0x811c9dc5;
  for (const char of new TextEncoder().encode(seed)) state = Math.imul(state ^ char, 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** OKLCH → "#rrggbb", clipped to sRGB by lowering chroma: equal lightness looks equal in every hue. */
function oklch(lightness: number, chroma: number, hue: number): string {
  const angle = (hue * Math.PI) / 180;
  for (let c = chroma; ; c -= 0.004) {
    const a = Math.max(c, 0) * Math.cos(angle);
    const b = Math.max(c, 0) * Math.sin(angle);
    const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
    const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
    const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
    const linear = [
      4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
      -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
      -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
    ];
    if (c > 0 && linear.some((x) => x < -0.0005 || x > 1.0005)) continue;
    return `#${linear
      .map((x) => {
        const v = Math.min(1, Math.max(0, x));
        const encoded = v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055;
        return Math.round(encoded * 255)
          .toString(16)
          .padStart(2, "0");
      })
      .join("")}`;
  }
}

/**
 * Four lightings of one hue. None is as light as the paper or as dark as the night ground, so an
 * emblem stands clear on both.
 */
function tonesOf(hue: number, lighting: number, shift: number): Tones {
  const near = hue + shift;
  const table: [number, number, number][][] = [
    // ground, soft, form, strong, spark: [lightness, chroma, hue]
    [
      [0.9, 0.05, hue],
      [0.82, 0.085, near],
      [0.66, 0.15, hue],
      [0.42, 0.12, hue],
      [0.975, 0.018, near],
    ],
    [
      [0.34, 0.09, hue],
      [0.43, 0.11, near],
      [0.63, 0.16, hue],
      [0.84, 0.09, hue],
      [0.95, 0.03, near],
    ],
    [
      [0.71, 0.14, hue],
      [0.64, 0.15, near],
      [0.9, 0.06, hue],
      [0.36, 0.1, hue],
      [0.97, 0.02, near],
    ],
    [
      [0.84, 0.075, near],
      [0.76, 0.11, hue],
      [0.52, 0.15, hue],
      [0.31, 0.08, hue],
      [0.96, 0.03, hue],
    ],
  ];
  const [ground, soft, form, strong, spark] = (table[lighting % table.length] ?? []).map((t) => oklch(...t));
  return { ground, soft, form, strong, spark } as Tones;
}

/** The SVG of an emblem, 480 × 480, opaque. `hue` is an OKLCH angle in degrees: the category's. */
export function emblemSvg(seed: string, hue: number): string {
  const random = randomFrom(seed);
  // A few throws first: neighbouring seeds differ little in the hash's first output.
  for (let i = 0; i < 4; i++) random();
  const draw = FORMS[Math.floor(random() * FORMS.length)] ?? rings;
  const tones = tonesOf(hue, Math.floor(random() * 4), (random() < 0.5 ? -1 : 1) * (14 + random() * 22));
  const form = draw({ random, tones });
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 480" width="480" height="480">` +
    `<rect width="480" height="480" fill="${tones.ground}"/>${form}</svg>`
  );
}

/**
 * An emblem as pixels, `width` × `width`.
 * @throws RangeError for a width that is not in IMAGE_WIDTHS.
 */
export async function renderEmblem(svg: string, width: number, format: ImageFormat): Promise<Buffer> {
  if (!(IMAGE_WIDTHS as readonly number[]).includes(width))
    throw new RangeError(`Not a served width: ${width}`);
  // The density makes librsvg draw at the wanted size instead of scaling a picture of 480 pixels.
  const image = sharp(Buffer.from(svg), { density: (72 * width) / 480 }).resize(width, width);
  if (format === "avif") return image.avif({ quality: 62, effort: 4, chromaSubsampling: "4:4:4" }).toBuffer();
  if (format === "webp") return image.webp({ quality: 86, smartSubsample: true }).toBuffer();
  return image.png({ compressionLevel: 9, palette: false }).toBuffer();
}
