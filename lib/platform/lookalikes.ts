import { foldText } from "./fold-text";

/** Letters by the plain one that they are taken for: of Cyrillic, Greek, phonetic and digits, and kana drawn as a kanji. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  a: "аαɑᴀ@",
  b: "вβʙь",
  c: "сϲᴄ",
  d: "ԁᴅժ",
  e: "еєεᴇҽ",
  f: "ғꜰϝ",
  g: "ɡɢց",
  h: "һнʜհ",
  j: "јϳᴊյ",
  k: "кκᴋ",
  l: "1i|!іιıɩɪʟӏ",
  m: "мᴍ",
  n: "пηɴո",
  o: "0оοσᴏօ",
  p: "рρᴘ",
  q: "ԛզ",
  r: "гʀᴦ",
  s: "5$ѕꜱʂ",
  t: "тτᴛ",
  u: "υᴜսц",
  v: "ѵνᴠ",
  w: "ԝωᴡա",
  x: "хχ",
  y: "уγʏү",
  z: "зᴢʐ",
  ニ: "二",
  ロ: "口",
  エ: "工",
  タ: "夕",
  ハ: "八",
  カ: "力",
  ト: "卜",
  へ: "ヘ",
  ー: "一",
};
const PLAIN = new Map(
  Object.entries(LOOKALIKES).flatMap(([plain, letters]) => [...letters].map((letter) => [letter, plain])),
);

/** Letters with marks, without them. Kana keep theirs, which make other syllables. */
const dropMarks = (text: string): string =>
  text.replace(/[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]\p{M}*/gu, (letter) =>
    letter.normalize("NFD").replace(/\p{M}/gu, ""),
  );

/** A name as a hasty reader takes it: two names that fold to the same text are mistaken for each other. */
export const foldLookalikes = (name: string): string =>
  [...dropMarks(foldText(name).toLowerCase())]
    .map((letter) => PLAIN.get(letter) ?? letter)
    .join("")
    .replace(/[^\p{L}\p{M}\p{N}]/gu, "")
    .replaceAll("rn", "m")
    .replaceAll("vv", "w");
