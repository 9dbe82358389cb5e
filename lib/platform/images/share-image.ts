import { createHash } from "node:crypto";
import satori from "satori";
import type { Locale } from "@/lib/platform/i18n/locales";
import { drawInProcess } from "./picture-process";
import { cachedImage } from "./render";
import { loadFonts } from "./share-fonts";

/** The content of a share image: a large title, a line below it, a note such as the price, and a picture. */
export type ShareCard = {
  title: string;
  line: string;
  /** "from $3.90" */
  note?: string;
  brand: string;
  /** The bytes of a picture file. */
  picture: Buffer;
};

const WIDTH = 1200;
const HEIGHT = 630;
const PICTURE_SIZE = 400;
const MARGIN = 72;
const BACKGROUND = "#FBF9F4";
const TEXT = "#16141C";
const MUTED_TEXT = "#5C5866";
const BORDER = "#E6E1D6";

type Element = { type: string; props: Record<string, unknown> };
const box = (style: Record<string, unknown>, children?: (Element | string)[] | string): Element => ({
  type: "div",
  props: { style: { display: "flex", ...style }, ...(children !== undefined && { children }) },
});

/** The font size of a title in pixels: smaller for long titles. A full-width character counts as two. */
function titleSize(title: string): number {
  const width = [...title].reduce((sum, character) => sum + (character.charCodeAt(0) > 0x2e7f ? 2 : 1), 0);
  if (width > 44) return 44;
  return width > 26 ? 52 : 64;
}

const truncate = (text: string, max: number) => {
  const characters = [...text];
  return characters.length > max ? `${characters.slice(0, max - 1).join("")}…` : text;
};

function layout({ title, line, note, brand }: ShareCard, locale: Locale, family: string): Element {
  const lineLength = locale === "en" ? 110 : 56;
  return box({ width: WIDTH, height: HEIGHT, backgroundColor: BACKGROUND, color: TEXT, fontFamily: family }, [
    box(
      {
        position: "absolute",
        left: MARGIN,
        top: MARGIN,
        flexDirection: "column",
        width: 600,
        height: HEIGHT - 2 * MARGIN,
        justifyContent: "space-between",
      },
      [
        box({ fontSize: 30, fontWeight: 600 }, brand),
        box({ flexDirection: "column" }, [
          box({ fontSize: titleSize(title), fontWeight: 600, lineHeight: 1.15 }, truncate(title, 80)),
          box(
            { fontSize: 30, color: MUTED_TEXT, lineHeight: 1.4, marginTop: 20 },
            truncate(line, lineLength),
          ),
        ]),
        box({ fontSize: 30, fontWeight: 600, borderTop: `2px solid ${BORDER}`, paddingTop: 24 }, note ?? " "),
      ],
    ),
  ]);
}

/** Renders a share image of 1200 × 630 pixels as PNG. Text becomes outlines, so it looks the same on every server. */
export async function renderShareImage(card: ShareCard, locale: Locale): Promise<Buffer> {
  const text = `${card.title}${card.line}${card.note ?? ""}${card.brand}… `;
  const fonts = await loadFonts(text, locale);
  const family = [...new Set(fonts.map(({ name }) => name))].map((name) => `"${name}"`).join(",");
  const svg = await satori(layout(card, locale, family) as Parameters<typeof satori>[0], {
    width: WIDTH,
    height: HEIGHT,
    fonts,
  });
  const place = { side: PICTURE_SIZE, left: WIDTH - MARGIN - PICTURE_SIZE, top: (HEIGHT - PICTURE_SIZE) / 2 };
  return (await drawInProcess("pages", { job: "share", svg, ...place }, card.picture)).bytes;
}

/** A share image from the memory cache. Its key contains everything that the image shows, so it is never outdated. */
export async function shareImage(card: ShareCard, locale: Locale): Promise<Buffer> {
  const { picture, ...texts } = card;
  const pictureHash = createHash("sha256").update(picture).digest("base64");
  const key = JSON.stringify([locale, texts, pictureHash]);
  return cachedImage(`share ${key}`, () => renderShareImage(card, locale));
}
