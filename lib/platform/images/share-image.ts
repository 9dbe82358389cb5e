import { createHash } from "node:crypto";
import satori from "satori";
import sharp from "sharp";
import type { Locale } from "@/lib/platform/i18n/locales";
import { cachedImage } from "./image-cache";
import { loadFonts } from "./share-fonts";

/** What a share image shows: a name in large letters, a line under it, what it costs, and the picture. */
export type ShareCard = {
  title: string;
  line: string;
  /** "from $3.90" */
  note?: string;
  brand: string;
  /** a picture file */
  picture: Buffer;
};

const WIDTH = 1200;
const HEIGHT = 630;
const PICTURE = 400;
const EDGE = 72;
const PAPER = "#FBF9F4";
const INK = "#16141C";
const QUIET = "#5C5866";
const HAIRLINE = "#E6E1D6";

type Element = { type: string; props: Record<string, unknown> };
const box = (style: Record<string, unknown>, children?: (Element | string)[] | string): Element => ({
  type: "div",
  props: { style: { display: "flex", ...style }, ...(children !== undefined && { children }) },
});

/** Long names in smaller letters; a full-width letter counts two. */
function sizeOf(title: string): number {
  const width = [...title].reduce((sum, letter) => sum + (letter.charCodeAt(0) > 0x2e7f ? 2 : 1), 0);
  return width > 44 ? 44 : width > 26 ? 52 : 64;
}

const clipped = (text: string, max: number) => {
  const letters = [...text];
  return letters.length > max ? `${letters.slice(0, max - 1).join("")}…` : text;
};

function layout({ title, line, note, brand }: ShareCard, locale: Locale, family: string): Element {
  const wide = locale === "en" ? 110 : 56;
  return box({ width: WIDTH, height: HEIGHT, backgroundColor: PAPER, color: INK, fontFamily: family }, [
    box(
      {
        position: "absolute",
        left: EDGE,
        top: EDGE,
        flexDirection: "column",
        width: 600,
        height: HEIGHT - 2 * EDGE,
        justifyContent: "space-between",
      },
      [
        box({ fontSize: 30, fontWeight: 600 }, brand),
        box({ flexDirection: "column" }, [
          box({ fontSize: sizeOf(title), fontWeight: 600, lineHeight: 1.15 }, clipped(title, 80)),
          box({ fontSize: 30, color: QUIET, lineHeight: 1.4, marginTop: 20 }, clipped(line, wide)),
        ]),
        box(
          { fontSize: 30, fontWeight: 600, borderTop: `2px solid ${HAIRLINE}`, paddingTop: 24 },
          note ?? " ",
        ),
      ],
    ),
  ]);
}

/** A share image, 1200 × 630, as PNG. Text becomes outlines, so it looks the same on every server. */
export async function renderShareImage(card: ShareCard, locale: Locale): Promise<Buffer> {
  const text = `${card.title}${card.line}${card.note ?? ""}${card.brand}… `;
  const fonts = await loadFonts(text, locale);
  const family = [...new Set(fonts.map(({ name }) => name))].map((name) => `"${name}"`).join(",");
  const svg = await satori(layout(card, locale, family) as Parameters<typeof satori>[0], {
    width: WIDTH,
    height: HEIGHT,
    fonts,
  });
  const picture = await sharp(card.picture, { density: 144 })
    .resize(PICTURE, PICTURE, { fit: "cover" })
    .composite([{ input: ROUND, blend: "dest-in" }])
    .png()
    .toBuffer();
  return sharp(Buffer.from(svg))
    .composite([{ input: picture, left: WIDTH - EDGE - PICTURE, top: (HEIGHT - PICTURE) / 2 }])
    .png({ palette: true, colours: 128 })
    .toBuffer();
}

const ROUND = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" width="${PICTURE}" height="${PICTURE}"><rect width="100%" height="100%" rx="32"/></svg>`,
);

/** The same from memory, by all that it shows, so that none is ever outdated. */
export async function shareImage(card: ShareCard, locale: Locale): Promise<Buffer> {
  const { picture, ...texts } = card;
  const key = JSON.stringify([locale, texts, hashOf(picture)]);
  return cachedImage(`share ${key}`, () => renderShareImage(card, locale));
}

const hashOf = (picture: Buffer) => createHash("sha256").update(picture).digest("base64");
