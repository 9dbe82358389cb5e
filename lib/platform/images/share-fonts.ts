import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Font } from "satori";
import type { Locale } from "@/lib/platform/i18n/locales";

/** The face of share images for each language: one family with Latin and the language's own forms of Han letters. */
const FAMILY: Record<Locale, string> = { en: "noto-sans-jp", zh: "noto-sans-sc", ja: "noto-sans-jp" };
const WEIGHTS = [400, 600] as const;

type Piece = { name: string; ranges: [from: number, to: number][] };

// By its path: a bundle would resolve the package at build time and look for a module in it. Ignored, or the build would
// trace its 16,000 files.
const folderOf = (family: string) =>
  join(/* turbopackIgnore: true */ process.cwd(), "node_modules/@fontsource", family);
const indexes = new Map<string, Promise<Piece[]>>();
const files = new Map<string, Promise<Buffer>>();

/** Which letters each file of a family holds, from the package's own list. */
async function readIndex(family: string): Promise<Piece[]> {
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
}

function kept<T>(in_: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const found = in_.get(key) ?? make();
  in_.set(key, found);
  return found;
}

/** The font files that hold the letters of a text, and no others: a family has 120 of them. */
export async function loadFonts(text: string, locale: Locale): Promise<Font[]> {
  const family = FAMILY[locale];
  const letters = [...new Set(text)].map((letter) => letter.codePointAt(0) ?? 0);
  const pieces = await kept(indexes, family, () => readIndex(family));
  const needed = pieces.filter(({ ranges }) =>
    letters.some((letter) => ranges.some(([from, to]) => letter >= from && letter <= to)),
  );
  return Promise.all(
    needed.flatMap(({ name }) =>
      WEIGHTS.map(async (weight) => ({
        // Each file a family of its own: satori looks for a missing letter in the next one.
        name: `${family}-${name}`,
        weight,
        style: "normal" as const,
        data: await kept(files, `${family}-${name}-${weight}`, () =>
          readFile(join(folderOf(family), "files", `${family}-${name}-${weight}-normal.woff`)),
        ),
      })),
    ),
  );
}
