/** Words and texts for catalogs of any size; the same seed gives the same texts. */

export type Random = () => number;

/** The Mulberry32 generator. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export const between = (random: Random, min: number, max: number) =>
  min + Math.floor(random() * (max - min + 1));

/** An index below `count`, low ones far more often (Zipf's law). */
export const skewed = (random: Random, count: number) => Math.floor((count + 1) ** random()) - 1;

const START = "b br c cl d dr f fl g gr h j k l m n p pl qu r s sk st t tr v w".split(" ");
const VOWELS = "a e i o u ea io".split(" ");
const END = "n r l s t m nd rt st x ck".split(" ");
const pickUniform = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

function latinWord(random: Random, syllables: number): string {
  let word = "";
  for (let i = 0; i < syllables; i++) word += pickUniform(random, START) + pickUniform(random, VOWELS);
  return word + pickUniform(random, END);
}

/** Number of Han characters in use. */
const HAN = 2000;
const han = (random: Random) => String.fromCodePoint(0x4e00 + ((skewed(random, HAN) * 7919) % 20_000));
const kana = (random: Random, first: number) => String.fromCodePoint(first + between(random, 0, 75));
const KATAKANA = 0x30a2;
const HIRAGANA = 0x3042;

const chineseWord = (random: Random) =>
  Array.from({ length: random() < 0.8 ? 2 : 3 }, () => han(random)).join("");

function japaneseWord(random: Random): string {
  const kind = random();
  if (kind < 0.4) return Array.from({ length: between(random, 3, 5) }, () => kana(random, KATAKANA)).join("");
  const stem = han(random) + (kind < 0.7 ? han(random) : "");
  return kind < 0.7 ? stem : stem + kana(random, HIRAGANA);
}

const PARTICLES = [..."のをにはでがと"];

/** The words of one catalog, the most frequent first. */
export function vocabulary(seed: number) {
  const random = seeded(seed);
  const list = (count: number, word: () => string) => [...new Set(Array.from({ length: count }, word))];
  return {
    latin: list(30_000, () => latinWord(random, random() < 0.6 ? 2 : 3)),
    chinese: list(15_000, () => chineseWord(random)),
    japanese: list(15_000, () => japaneseWord(random)),
  };
}
export type Vocabulary = ReturnType<typeof vocabulary>;

const pickSkewed = (random: Random, list: readonly string[]) => list[skewed(random, list.length)]!;
const pickWords = (random: Random, list: readonly string[], count: number) =>
  Array.from({ length: count }, () => pickSkewed(random, list));
const capital = (word: string) => word[0]!.toUpperCase() + word.slice(1);

export type Text = { name: string; tagline: string; description: string };

/** A text whose name has one rare word and one or two frequent ones. */
export function latinText(random: Random, { latin }: Vocabulary): Text {
  const rareWord = capital(latinWord(random, 3));
  return {
    name: [rareWord, ...pickWords(random, latin, between(random, 1, 2)).map(capital)].join(" "),
    tagline: `${capital(pickWords(random, latin, 8).join(" "))}.`,
    description: `${rareWord} ${pickWords(random, latin, between(random, 25, 45)).join(" ")}.`,
  };
}

export function chineseText(random: Random, { chinese }: Vocabulary): Text {
  const phrase = (count: number) => pickWords(random, chinese, count).join("");
  return {
    name: phrase(2),
    tagline: `${phrase(5)}。`,
    description: `${phrase(8)}，${phrase(7)}，${phrase(between(random, 5, 9))}。`,
  };
}

export function japaneseText(random: Random, { japanese }: Vocabulary): Text {
  const phrase = (count: number) =>
    pickWords(random, japanese, count)
      .map((word) => word + pickUniform(random, PARTICLES))
      .join("")
      .slice(0, -1);
  return {
    name: phrase(2),
    tagline: `${phrase(4)}。`,
    description: `${phrase(6)}、${phrase(6)}、${phrase(between(random, 3, 6))}。`,
  };
}
