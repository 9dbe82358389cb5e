import satori from "satori";
import { type Locale, WRITING } from "@/lib/platform/i18n/locales";
import { loadFonts } from "./share-fonts";
import { SHARE_SIZE } from "./widths";

/** The texts of a share image: a large title, a line below it, and a note such as the price. */
export type ShareTexts = {
  title: string;
  line: string;
  /** "from $3.90" */
  note?: string;
  brand: string;
};

const { width: WIDTH, height: HEIGHT, margin: MARGIN } = SHARE_SIZE;
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

function layout({ title, line, note, brand }: ShareTexts, locale: Locale, family: string): Element {
  const lineLength = WRITING[locale] === "wide" ? 56 : 110;
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

/** Draws the texts as an SVG. They become outlines, so that they look the same on every server. */
export async function drawCard(texts: ShareTexts, locale: Locale): Promise<string> {
  const fonts = await loadFonts(`${texts.title}${texts.line}${texts.note ?? ""}${texts.brand}… `, locale);
  const family = [...new Set(fonts.map(({ name }) => name))].map((name) => `"${name}"`).join(",");
  return satori(layout(texts, locale, family) as Parameters<typeof satori>[0], {
    width: WIDTH,
    height: HEIGHT,
    fonts,
  });
}
