import bidiFactory from "bidi-js";

/** The algorithm of Unicode (UAX 9). */
const bidi = bidiFactory();

export type Direction = "ltr" | "rtl";

/** The blocks of Unicode for scripts from right to left, and what turns a text. Other text needs no algorithm. */
const TURNS =
  /[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Whether a text has letters of a script that is written from right to left, and that the fonts have. */
export const isRightToLeft = (text: string): boolean => /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(text);

/** The direction of a paragraph: that of its first letter. */
export const directionOf = (text: string): Direction =>
  TURNS.test(text) && bidi.getEmbeddingLevels(text).paragraphs[0]?.level === 1 ? "rtl" : "ltr";

/** A bracket as it looks in text from right to left. */
export const mirror = (grapheme: string): string => bidi.getMirroredCharacter(grapheme) ?? grapheme;

/** The embedding level of each sign of a line: odd levels run from right to left. */
export function embeddingLevels(graphemes: readonly string[], direction: Direction): number[] {
  const text = graphemes.join("");
  if (direction === "ltr" && !TURNS.test(text)) return graphemes.map(() => 0);
  const { levels } = bidi.getEmbeddingLevels(text, direction);
  let start = 0;
  return graphemes.map((grapheme) => {
    const level = levels[start] ?? 0;
    start += grapheme.length;
    return level;
  });
}

/** The parts of a line from left to right: those of a level are turned as a whole, the highest level first. */
export function inVisualOrder<T extends { level: number }>(parts: readonly T[]): T[] {
  const ordered = [...parts];
  for (let level = Math.max(0, ...parts.map((part) => part.level)); level > 0; level--)
    for (let from = 0; from < ordered.length; from++) {
      let to = from;
      while (to < ordered.length && (ordered[to]?.level ?? 0) >= level) to++;
      ordered.splice(from, to - from, ...ordered.slice(from, to).reverse());
      from = to;
    }
  return ordered;
}
