import satori from "satori";
import { type Locale, WRITING } from "@/lib/platform/i18n/locales";
import { LIFETIME_CUT } from "@/lib/platform/ticket";
import { loadFonts } from "./share-fonts";
import { SHARE_SIZE } from "./widths";

/** The texts of a share image: a large title, a line below it, and a note such as the price. */
export type ShareTexts = {
  title: string;
  line: string;
  /** "from $3.90" */
  note?: string;
  /**
   * The holes of the shown pass's ticket: units of time, or null for a lifetime pass. Without it, no ticket is drawn.
   */
  units?: number | null;
  brand: string;
};

const { width: WIDTH, height: HEIGHT, margin: MARGIN } = SHARE_SIZE;
const BACKGROUND = "#FBF9F4";
const TEXT = "#16141C";
const MUTED_TEXT = "#5C5866";
const BORDER = "#E6E1D6";
const RIM = "#8B8578";
/** Where the seam is: between the texts, which are 580 wide, and the picture. */
const SEAM_X = 690;

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

/** The seam of a ticket between texts and picture: a notch at either end and a hole for each unit between them. */
function seam(units: number | null): Element[] {
  const round = (y: number, r: number, style: Record<string, unknown>) =>
    box({
      position: "absolute",
      left: SEAM_X - r,
      top: y - r,
      width: 2 * r,
      height: 2 * r,
      borderRadius: 2 * r,
      ...style,
    });
  const notches = [0, HEIGHT].map((y) =>
    round(y, 26, { border: `3px solid ${RIM}`, backgroundColor: BORDER }),
  );
  if (units === null) {
    const cut = { d: LIFETIME_CUT, fill: "none", stroke: RIM, strokeWidth: 3 };
    const svg = {
      type: "svg",
      props: {
        viewBox: "-2 -2 48 28",
        width: 96,
        height: 56,
        style: { position: "absolute", left: SEAM_X - 48, top: HEIGHT / 2 - 28 },
        children: [{ type: "path", props: cut }],
      },
    };
    return [...notches, svg];
  }
  const pitch = (HEIGHT - 2 * 40) / units;
  const r = Math.min(9, pitch * 0.36);
  const holes = Array.from({ length: units }, (_, index) =>
    round(40 + pitch * (index + 0.5), r, { border: `3px solid ${RIM}`, backgroundColor: BACKGROUND }),
  );
  return [...notches, ...holes];
}

function layout({ title, line, note, brand, units }: ShareTexts, locale: Locale, family: string): Element {
  const lineLength = WRITING[locale] === "wide" ? 56 : 110;
  return box({ width: WIDTH, height: HEIGHT, backgroundColor: BACKGROUND, color: TEXT, fontFamily: family }, [
    box(
      {
        position: "absolute",
        left: MARGIN,
        top: MARGIN,
        flexDirection: "column",
        width: 580,
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
    ...(units === undefined ? [] : seam(units)),
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
