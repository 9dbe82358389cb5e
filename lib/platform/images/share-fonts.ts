import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Font } from "satori";
import type { Locale } from "@/lib/platform/i18n/locales";
import { memoize } from "@/lib/platform/memoize";

/** The font family of share images per language: it has Latin letters and the language's forms of Han characters. */
const FAMILY: Record<Locale, string> = { en: "noto-sans-jp", zh: "noto-sans-sc", ja: "noto-sans-jp" };
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

/** Loads only the font files that contain characters of the text: a family has 120 files. */
export async function loadFonts(text: string, locale: Locale): Promise<Font[]> {
  const family = FAMILY[locale];
  const codePoints = [...new Set(text)].map((character) => character.codePointAt(0) ?? 0);
  const fontFiles = await readIndex(family);
  const needed = fontFiles.filter(({ ranges }) =>
    codePoints.some((codePoint) => ranges.some(([from, to]) => codePoint >= from && codePoint <= to)),
  );
  return Promise.all(
    needed.flatMap(({ name }) =>
      WEIGHTS.map(async (weight) => ({
        // Each file is a family of its own, because satori looks for a missing character in the next family.
        name: `${family}-${name}`,
        weight,
        style: "normal" as const,
        data: await readFont(`${family}/files/${family}-${name}-${weight}-normal.woff`),
      })),
    ),
  );
}
