import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { create } from "fontkit";
import type { Font } from "satori";
import type { Locale } from "@/lib/platform/i18n/locales";
import { memoize } from "@/lib/platform/memoize";
import { unpackWoff } from "./woff";

/** The font family of a text per language: it has Latin letters and the language's forms of Han characters. */
const FAMILY: Record<Locale, string> = { en: "noto-sans-jp", zh: "noto-sans-sc", ja: "noto-sans-jp" };
/**
 * Families for the letters that a language's own lacks, in order, with the weight of their bold letters; scripts/release.mjs
 * copies them.
 */
const BOLD_WEIGHTS: Record<string, number> = {
  "noto-sans": 600,
  "noto-sans-jp": 600,
  "noto-sans-sc": 600,
  "nanum-gothic": 700,
  "noto-sans-arabic": 600,
  "noto-sans-hebrew": 600,
  "noto-sans-thai": 600,
};
export const FONT_FAMILIES = Object.keys(BOLD_WEIGHTS);

/** A font file of a family, and the code points of its design. */
type FontFile = { name: string; ranges: [from: number, to: number][] };

/** A part of a font, and whether it contains a character. */
export type DocumentFont = {
  name: string;
  regular: Buffer;
  bold: Buffer;
  has(codePoint: number): boolean;
};

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

const contains = ({ ranges }: FontFile, codePoint: number) =>
  ranges.some(([from, to]) => codePoint >= from && codePoint <= to);

const readWeight = async (family: string, name: string, weight: number) =>
  unpackWoff(await readFile(`${folderOf(family)}/files/${family}-${name}-${weight}-normal.woff`));

/** Opens a part of a font, named `<family>/<file>`. @throws Error the file is damaged */
export const openFont = memoize(async (path): Promise<DocumentFont> => {
  const [family = "", name = ""] = path.split("/");
  const [regular, bold] = await Promise.all([
    readWeight(family, name, 400),
    readWeight(family, name, BOLD_WEIGHTS[family] ?? 700),
  ]);
  // The package's list names the characters of the design, of which a file may lack some.
  const font = create(regular);
  if (!("characterSet" in font)) throw new Error(`${path} is no single font`);
  const characters = new Set(font.characterSet);
  // Each file is its own family, because satori looks for a missing character in the next family.
  return { name: `${family}-${name}`, regular, bold, has: (codePoint) => characters.has(codePoint) };
});

/** Font files that could not be read, for the log of the shop. */
export const damagedFonts: { font: string; message: string }[] = [];

/** Opens a part of a font, or notes why it cannot: its letters are then looked for in the next family. */
const tryFont = (path: string): Promise<DocumentFont | null> =>
  openFont(path).catch((error: unknown) => {
    damagedFonts.push({ font: path, message: String(error) });
    return null;
  });

/** The font files of a family, as paths of `openFont`. */
export async function listFontPaths(family: string): Promise<string[]> {
  return (await readIndex(family)).map(({ name }) => `${family}/${name}`);
}

/**
 * The fonts that a text needs, in order of preference: the language's own family, then for what it lacks the others, so
 * that names of all scripts that customers write are printed in every language.
 */
export async function loadDocumentFonts(text: string, locale: Locale): Promise<DocumentFont[]> {
  const fonts: DocumentFont[] = [];
  const missing = new Set([...text].map((character) => character.codePointAt(0) ?? 0));
  for (const family of new Set([FAMILY[locale], ...FONT_FAMILIES])) {
    if (missing.size === 0) break;
    const files = (await readIndex(family)).filter((file) =>
      [...missing].some((code) => contains(file, code)),
    );
    const opened = await Promise.all(files.map(({ name }) => tryFont(`${family}/${name}`)));
    for (const font of opened) {
      const found = [...missing].filter((code) => font?.has(code));
      if (font && found.length > 0) fonts.push(font);
      for (const code of found) missing.delete(code);
    }
  }
  return fonts;
}

/** The fonts that a text needs on a share image. */
export async function loadFonts(text: string, locale: Locale): Promise<Font[]> {
  const fonts = await loadDocumentFonts(text, locale);
  return fonts.flatMap(({ name, regular, bold }) => [
    { name, weight: 400 as const, style: "normal" as const, data: regular },
    { name, weight: 600 as const, style: "normal" as const, data: bold },
  ]);
}
