// Draws pictures in its own process, which lib/platform/drawing-process.ts starts with a limit of memory and ends at a
// deadline.
import sharp from "sharp";
import { answerJobs } from "./drawing-jobs.mjs";
import { RefusedSvg, readText, safeSvg } from "./safe-svg.mjs";

sharp.concurrency(1);
sharp.cache(false);
// Enables only the decoders of the formats below, whatever a file claims to be.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["Png", "Jpeg", "Webp", "Heif", "Svg"].map((format) => `VipsForeignLoad${format}`),
});

const PIXELS = 40_000_000;
/** The longer side in pixels at which an imported drawing is kept: the widest picture that the shop shows. */
const DRAWN_SIDE = 960;

class Refused extends Error {
  constructor(error, values = {}) {
    super(error);
    this.answer = { error, ...values };
  }
}

const startsWith = (bytes, text, at = 0) => bytes.toString("latin1", at, at + text.length) === text;

/** The format by the first bytes: "other" is a picture of a format that the shop does not take. */
function sniff(bytes) {
  if (startsWith(bytes, "\x89PNG\r\n\x1a\n")) return "png";
  if (startsWith(bytes, "\xff\xd8\xff")) return "jpeg";
  if (startsWith(bytes, "RIFF") && startsWith(bytes, "WEBP", 8)) return "webp";
  if (startsWith(bytes, "ftyp", 4))
    return /^avi[fs]/.test(bytes.toString("latin1", 8, 12)) ? "avif" : "other";
  if (["GIF8", "II*\0", "MM\0*", "BM", "%PDF", "\x1f\x8b"].some((start) => startsWith(bytes, start)))
    return "other";
  if (!/^(?:\xef\xbb\xbf)?\s*</.test(bytes.toString("latin1", 0, 1000))) return undefined;
  return /<svg[\s>/]/.test(bytes.toString("latin1")) ? "svg" : undefined;
}

const MIMES = {
  png: "image/png",
  jpeg: "image/jpeg",
  webp: "image/webp",
  avif: "image/avif",
  svg: "image/svg+xml",
};

/** The picture with its size; an SVG as the safe text of its drawing. */
async function open(bytes) {
  const format = sniff(bytes);
  if (!format || format === "other") throw new Refused(format ? "type" : "unknown");
  const source = format === "svg" ? Buffer.from(safeSvg(readText(bytes))) : bytes;
  const { width, height } = await sharp(source, { limitInputPixels: false }).metadata();
  if (!(width > 0 && height > 0)) throw new Refused("broken");
  if (width * height > PIXELS) throw new Refused("pixels");
  return { source, format, width, height };
}

/** A drawing comes out at the asked size instead of being enlarged; a photo stands upright. */
function decode({ source, format, width, height }, side) {
  const density =
    format === "svg" ? Math.min(2400, Math.max(1, (72 * side) / Math.max(width, height))) : undefined;
  return sharp(source, { limitInputPixels: PIXELS, failOn: "error", density }).rotate();
}

function encode(picture, format) {
  if (format === "avif") return picture.avif({ quality: 62, effort: 4, chromaSubsampling: "4:4:4" });
  if (format === "webp") return picture.webp({ quality: 86, smartSubsample: true });
  return picture.png({ compressionLevel: 9, palette: false });
}

const JOBS = {
  /** Decodes a picture completely. A drawing comes back as pixels. */
  async check(bytes) {
    const picture = await open(bytes);
    const { format, width, height } = picture;
    const answer = { mime: MIMES[format], width, height };
    if (format !== "svg") {
      await decode(picture, DRAWN_SIDE).resize(64, 64).toBuffer();
      return { answer };
    }
    const drawn = decode(picture, DRAWN_SIDE).resize(DRAWN_SIDE, DRAWN_SIDE, {
      fit: "inside",
      withoutEnlargement: true,
    });
    return { answer, bytes: await drawn.webp({ lossless: true, effort: 2 }).toBuffer() };
  },
  /** Redraws a picture without its metadata, at most `side` pixels wide and high. */
  async redraw(bytes, { side, minimumSide }) {
    const picture = await open(bytes);
    const shorter = Math.min(picture.width, picture.height);
    if (picture.format !== "svg" && shorter < minimumSide) throw new Refused("small");
    const { data, info } = await decode(picture, side)
      .resize(side, side, { fit: "inside", withoutEnlargement: true })
      .webp({ quality: 92, smartSubsample: true })
      .toBuffer({ resolveWithObject: true });
    return { answer: { width: info.width, height: info.height }, bytes: data };
  },
  async size(bytes) {
    const { width, height } = await open(bytes);
    return { answer: { width, height } };
  },
  async square(bytes, { width, format }) {
    const background = { r: 0, g: 0, b: 0, alpha: 0 };
    const picture = decode(await open(bytes), width).resize(width, width, { fit: "contain", background });
    return { answer: {}, bytes: await encode(picture, format).toBuffer() };
  },
  async figure(bytes, { width, format }) {
    const picture = decode(await open(bytes), width).resize(width);
    return { answer: {}, bytes: await encode(picture, format).toBuffer() };
  },
  /** A square picture on a drawing of the shop's own, `svg`. */
  async share(bytes, { svg, side, left, top }) {
    const rounded = `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}"><rect width="100%" height="100%" rx="32"/></svg>`;
    const picture = await decode(await open(bytes), side)
      .resize(side, side, { fit: "cover" })
      .composite([{ input: Buffer.from(rounded), blend: "dest-in" }])
      .png()
      .toBuffer();
    const card = sharp(Buffer.from(svg)).composite([{ input: picture, left, top }]);
    return { answer: {}, bytes: await card.png({ palette: true, colours: 128 }).toBuffer() };
  },
};

async function run({ job, ...options }, bytes) {
  try {
    return await JOBS[job](bytes, options);
  } catch (error) {
    if (error instanceof Refused) return { answer: error.answer };
    if (error instanceof RefusedSvg) return { answer: { error: error.error, what: error.what } };
    if (/pixel limit/i.test(error.message)) return { answer: { error: "pixels" } };
    const isTooMuch = error instanceof RangeError || /memory/i.test(error.message);
    return { answer: { error: isTooMuch ? "complex" : "broken" } };
  }
}

answerJobs(run);
