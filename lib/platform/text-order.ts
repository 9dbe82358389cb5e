const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;
const MIRRORED: Record<string, string> = Object.fromEntries(
  ["()", "[]", "{}", "<>", "«»", "‹›"].flatMap(([open = "", close = ""]) => [
    [open, close],
    [close, open],
  ]),
);

export type Direction = "ltr" | "rtl";
type Kind = "L" | "R" | "number" | "separator" | "sign" | "neutral";

/** Whether a text has letters of a script that is written from right to left. */
export const isRightToLeft = (text: string): boolean => RIGHT_TO_LEFT.test(text);

/** The direction of a paragraph: that of its first letter. */
export const directionOf = (text: string): Direction =>
  isRightToLeft(/\p{L}/u.exec(text)?.[0] ?? "") ? "rtl" : "ltr";

/** A bracket as it looks in text from right to left. */
export const mirror = (grapheme: string): string => MIRRORED[grapheme] ?? grapheme;

function kindOf(grapheme: string): Kind {
  if (/^\p{Nd}/u.test(grapheme)) return "number";
  if (/^[\p{L}\p{M}]/u.test(grapheme)) return isRightToLeft(grapheme) ? "R" : "L";
  if (/^[-+.,:/]/.test(grapheme)) return "separator";
  return /^[%#°\p{Sc}]/u.test(grapheme) ? "sign" : "neutral";
}

/** Separators between two numbers, and signs beside one, belong to the number; a number belongs to the Latin before it. */
function joinNumbers(kinds: readonly Kind[], base: Kind): Kind[] {
  const separated = kinds.map((kind, i) =>
    kind === "separator" && kinds[i - 1] === "number" && kinds[i + 1] === "number" ? "number" : kind,
  );
  let letter = base;
  return separated
    .map((kind, i) =>
      kind === "sign" && (separated[i - 1] === "number" || separated[i + 1] === "number") ? "number" : kind,
    )
    .map((kind) => {
      if (kind === "L" || kind === "R") letter = kind;
      return kind === "number" && letter === "L" ? "L" : kind;
    });
}

/** The direction that the nearest letter or number before each place gives. */
function sidesBefore(kinds: readonly Kind[], base: Kind): Kind[] {
  let side = base;
  return kinds.map((kind) => {
    const before = side;
    side = sideOf(kind) ?? side;
    return before;
  });
}

const sideOf = (kind: Kind): Kind | null => {
  if (kind === "L" || kind === "R") return kind;
  return kind === "number" ? "R" : null;
};

/** Both brackets of a pair take one direction: the base's where a letter inside has it, else that of what stands before. */
function pairBrackets(graphemes: readonly string[], kinds: readonly Kind[], base: Kind): Kind[] {
  const paired = [...kinds];
  const before = sidesBefore(kinds, base);
  const open: number[] = [];
  for (const [i, grapheme] of graphemes.entries()) {
    if ("([{".includes(grapheme)) open.push(i);
    const from = ")]}".includes(grapheme) ? open.pop() : undefined;
    if (from === undefined || mirror(graphemes[from] ?? "") !== grapheme) continue;
    const inside = kinds.slice(from, i).flatMap((kind) => sideOf(kind) ?? []);
    if (inside.length > 0) paired[from] = paired[i] = inside.includes(base) ? base : (before[from] ?? base);
  }
  return paired;
}

/**
 * The embedding level of each sign of a line (UAX 9 without explicit embeddings, of which names and addresses have none):
 * odd levels run from right to left.
 */
export function embeddingLevels(graphemes: readonly string[], direction: Direction): number[] {
  const base: Kind = direction === "rtl" ? "R" : "L";
  const found = graphemes.map(kindOf);
  if (base === "L" && !found.includes("R")) return found.map(() => 0);
  const kinds = pairBrackets(graphemes, joinNumbers(found, base), base);
  const before = sidesBefore(kinds, base);
  const after = sidesBefore(kinds.toReversed(), base).toReversed();
  return kinds.map((kind, i) => {
    if (kind === "number") return 2;
    const between = before[i] === after[i] ? before[i] : base;
    if ((sideOf(kind) ?? between) === "R") return 1;
    return base === "R" ? 2 : 0;
  });
}

/** The parts of a line from left to right: those of a level are turned as a whole, the highest level first. */
export function inVisualOrder<T extends { level: number }>(parts: readonly T[]): T[] {
  const ordered = [...parts];
  for (const level of [2, 1])
    for (let from = 0; from < ordered.length; from++) {
      let to = from;
      while (to < ordered.length && (ordered[to]?.level ?? 0) >= level) to++;
      ordered.splice(from, to - from, ...ordered.slice(from, to).reverse());
      from = to;
    }
  return ordered;
}
