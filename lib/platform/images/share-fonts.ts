import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { create } from "fontkit";
import type { Font } from "satori";
import type { Locale } from "@/lib/platform/i18n/locales";
import { memoize } from "@/lib/platform/memoize";

/** The font family of share images per language: it has Latin letters and the language's forms of Han characters. */
const FAMILY: Record<Locale, string> = { en: "noto-sans-jp", zh: "noto-sans-sc", ja: "noto-sans-jp" };
/** Letters of European languages that the families of Chinese and Japanese lack. */
const EUROPEAN_FAMILY = "noto-sans";
const WEIGHTS = [400, 600] as const;

/** A font file of a family, and the code points that it contains. */
type FontFile = { name: string; ranges: [from: number, to: number][] };

// A file path instead of a module, because a bundler would resolve the package at build time and find no module in it.
// The comment keeps the build from tracing the package's 16,000 files.
const folderOf = (family: string) =>
  join(/* turbopackIgnore: true */ process.cwd(), "node_modules/@fontsource", family);

/** Reads which characters each file of a family contains, from the package's own list. */
const readIndex = memoize(async (family): Promise<FontFile[]> => {
  const list = JSON.parse(await readFile(join(folderOf(family), "unicode.json"), "utf8")) as Record<
    string,
    string
  >;
  return Object.entries(list).map(([name, ranges]) => ({
    name: name.replace(/[[\]]/g, ""),
    ranges: ranges.split(",").map((range) => {
      const [from = "0", to = from] = range.replace("U+", "").split("-");
      return [Number.parseInt(from, 16), Number.parseInt(to, 16)];
    }),
  }));
});

/** Reads a font file, named by its path below the packages of the fonts. */
const readFont = memoize((file) => readFile(folderOf(file)));

const contains = ({ ranges }: FontFile, codePoint: number) =>
  ranges.some(([from, to]) => codePoint >= from && codePoint <= to);

/** The files of a family that contain characters of the text: a family has 120 files. */
async function findFontFiles(text: string, family: string): Promise<FontFile[]> {
  const codePoints = [...new Set(text)].map((character) => character.codePointAt(0) ?? 0);
  const fontFiles = await readIndex(family);
  return fontFiles.filter((file) => codePoints.some((codePoint) => contains(file, codePoint)));
}

const readWeight = (family: string, { name }: FontFile, weight: number) =>
  readFont(`${family}/files/${family}-${name}-${weight}-normal.woff`);

/** The fonts that a text needs on a share image. */
export async function loadFonts(text: string, locale: Locale): Promise<Font[]> {
  const family = FAMILY[locale];
  const needed = await findFontFiles(text, family);
  return Promise.all(
    needed.flatMap((file) =>
      WEIGHTS.map(async (weight) => ({
        // Each file is a family of its own, because satori looks for a missing character in the next family.
        name: `${family}-${file.name}`,
        weight,
        style: "normal" as const,
        data: await readWeight(family, file, weight),
      })),
    ),
  );
}

/** A part of a font, and whether it contains a character. */
export type DocumentFont = {
  name: string;
  regular: Buffer;
  bold: Buffer;
  has(codePoint: number): boolean;
};

async function loadDocumentFont(family: string, file: FontFile): Promise<DocumentFont> {
  const [regular, bold] = await Promise.all([readWeight(family, file, 400), readWeight(family, file, 600)]);
  // The package's list names the characters of the design, of which a file may lack some.
  const font = create(regular);
  if (!("hasGlyphForCodePoint" in font)) throw new Error(`${file.name} is no single font`);
  return {
    name: `${family}-${file.name}`,
    regular,
    bold,
    has: (codePoint) => font.hasGlyphForCodePoint(codePoint),
  };
}

/**
 * The fonts that a text needs in a document, in order of preference: the language's own family, then the others, so that
 * Chinese, Japanese and European names print in every language.
 */
export async function loadDocumentFonts(text: string, locale: Locale): Promise<DocumentFont[]> {
  const families = [...new Set([FAMILY[locale], EUROPEAN_FAMILY, ...Object.values(FAMILY)])];
  const files = await Promise.all(
    families.map(async (family) => {
      const needed = await findFontFiles(text, family);
      return Promise.all(needed.map((file) => loadDocumentFont(family, file)));
    }),
  );
  return files.flat();
}
