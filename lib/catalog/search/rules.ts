import { PASS_TYPES, type PassType } from "@/lib/catalog/rules";
import { searchFold, type TextPart, textParts } from "./rules-text";

/** One word of a search: where it must occur, or which plans stand for it. */
export type SearchWord = {
  /** folded text */
  word: string;
  /** kinds of pass that the word means ("weekly", 周卡, 年間パス) */
  types: PassType[];
  /** number of days that it means ("3 days", 7天, "2 weeks") */
  days: number | null;
  /** says only that passes are wanted, which everything here is */
  filler: boolean;
};

const MAX_WORDS = 12;

/** Folds case, width and Latin accents, so that "Ｃafé" and "cafe" are one. */
export function foldText(text: string): string {
  return text
    .toWellFormed()
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .toLowerCase();
}

const PASS_WORDS: Record<PassType, string> = {
  day: "day days daily 日卡 天卡 日票 一天 一日 1日 デイパス 日パス 1日パス 1日券 一日券",
  week: "week weeks weekly 周卡 周票 一周 1周 週 週間 一週間 1週間 週パス 1週間パス 週間パス",
  month:
    "month months monthly 月卡 月票 一个月 1个月 个月 包月 月間 一か月 1か月 1ヶ月 1ヵ月 1カ月 月パス 月間パス 1か月パス",
  year: "year years yearly annual 年卡 年票 一年 1年 包年 年間 年パス 年間パス 1年パス",
  lifetime:
    "lifetime forever perpetual permanent 终身 终身卡 永久 永久卡 买断 無期限 無期限パス 買い切り 買切り 永続",
};

const FILLERS = new Set(
  "pass passes plan plans 卡 会员卡 通行证 套餐 パス プラン 券".split(" ").map(searchFold),
);

const TYPES_OF = new Map<string, PassType[]>();
for (const type of PASS_TYPES)
  for (const word of PASS_WORDS[type].split(" "))
    TYPES_OF.set(searchFold(word), [...(TYPES_OF.get(searchFold(word)) ?? []), type]);

/** "3 days", 7天卡, 3日間パス, "2 weeks", 6个月; years and months of one digit or two, so that "2026年" is no length. */
const COUNTED =
  /(?<![\p{L}\p{N}])(?:(\d{1,4})[ -]?(?:days?|天|日間|日)|(\d{1,2})[ -]?(?:(weeks?|周|週間|週)|(months?|个月|か月間?|ヶ月間?|ヵ月間?|カ月間?)|(?:years?|年間|年)))(?:[ -]?(?:pass(?:es)?|卡|パス|券))?(?![\p{L}\p{N}])/gu;

/**
 * The words of a keyword. Punctuation around a word is dropped, unless there is nothing else. An empty list means
 * that nothing was asked. Any text is taken.
 */
export function searchWords(keyword: string): SearchWord[] {
  const counted: SearchWord[] = [];
  const rest = searchFold(keyword)
    .replace(/\p{Cc}/gu, " ")
    .replace(COUNTED, (found, days?: string, many?: string, weeks?: string, months?: string) => {
      const each = days ? 1 : weeks ? 7 : months ? 30 : 365;
      counted.push({ word: found.trim(), types: [], days: Number(days ?? many) * each, filler: false });
      return " ";
    });
  const words = rest.split(/\s+/u).filter(Boolean).map(bare);
  return [
    ...counted,
    ...[...new Set(words)].map((word) => ({
      word,
      types: TYPES_OF.get(word) ?? [],
      days: null,
      filler: FILLERS.has(word),
    })),
  ].slice(0, MAX_WORDS);
}

const bare = (word: string) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}+#]+$/gu, "") || word;

/** The places of a word, as text of the type tsquery. All are built of tokens, so nothing typed is syntax. */
export type WordQuery = {
  /** anywhere in a product, or in the kinds of its passes */
  anywhere: string;
  /** in a name, as a whole word */
  inName: string;
  /** in a name; of the last word its beginning will do */
  startsInName: string;
  /** in name, tagline, vendor or category */
  inHead: string;
};

/**
 * The query for a keyword: `all` words at once, and each word for the ranking. "everything" when the words say only that
 * passes are wanted, "nothing" when they hold no letter.
 */
export type TextQuery = "everything" | "nothing" | { all: string; words: WordQuery[] };

export function toTextQuery(words: SearchWord[]): TextQuery {
  if (words.length === 0) return "everything";
  const readable = words.filter(({ word }) => textParts(word).length > 0);
  const queries = readable.map((word, i) => wordQuery(word, i === readable.length - 1));
  const needed = queries.filter((_, i) => !readable[i]?.filler);
  if (needed.length > 0) return { all: needed.map(({ anywhere }) => anywhere).join(" & "), words: queries };
  return readable.length > 0 ? "everything" : "nothing";
}

/** A term that search documents hold beside their words (db/functions/refresh_search_documents.sql). */
export const term = (kind: "category" | "type" | "days", value: string | number) =>
  `'${kind}:${String(value).replace(/['\\]/g, "$&$&")}'`;

function wordQuery({ word, types, days }: SearchWord, last: boolean): WordQuery {
  const text = (weights: string, begins = false) => phrase(tokensOf(textParts(word), begins), weights);
  const begins = last && days === null;
  const kinds = [
    ...types.map((type) => term("type", type)),
    ...(days === null ? withKind(word) : [term("days", days)]),
  ];
  return {
    anywhere: `(${[anywhere(textParts(word), begins), ...kinds].join(" | ")})`,
    inName: text("A"),
    startsInName: text("A", begins),
    inHead: text("AB", begins),
  };
}

/** A stored token, at its distance from the one before. */
export type QueryToken = { token: string; step: number; begins?: boolean };

/** Words as they are, runs as their bigrams; one letter alone is the beginning of any bigram. */
export function tokensOf(parts: readonly TextPart[], begins = false): QueryToken[] {
  let step = 1;
  return parts.flatMap((part, i): QueryToken[] => {
    const first = step;
    if (part.kind === "word") {
      step = 1;
      return [{ token: part.word, step: first, begins: begins && i === parts.length - 1 }];
    }
    const { letters } = part;
    step = letters.length > 1 ? 2 : 1;
    if (letters.length === 1) return [{ token: letters.join(""), step: first, begins: true }];
    return letters.slice(1).map((letter, n) => ({ token: (letters[n] ?? "") + letter, step: n ? 1 : first }));
  });
}

/** Up to this length the beginning of a word counts in names, taglines, vendors and categories only. */
const SHORT = 3;

/** Anywhere in a product. Somebody who has typed `d` does not mean every text with a word in d. */
export function anywhere(parts: readonly TextPart[], begins: boolean): string {
  const last = parts.at(-1);
  const short = begins && last?.kind === "word" && [...last.word].length <= SHORT;
  if (!short) return phrase(tokensOf(parts, begins));
  const beginning = `('${last.word}' | '${last.word}':*AB)`;
  return parts.length === 1 ? beginning : `(${phrase(tokensOf(parts.slice(0, -1)))} & ${beginning})`;
}

/** One after the other; `weights` say where. Tokens hold no quotes. */
export function phrase(tokens: readonly QueryToken[], weights = ""): string {
  const text = tokens
    .map(({ token, step, begins }, i) => {
      const labels = (begins ? "*" : "") + weights;
      return `${i ? ` <${step}> ` : ""}'${token}'${labels && `:${labels}`}`;
    })
    .join("");
  return tokens.length > 1 ? `(${text})` : text;
}

const KIND_WORDS = [...TYPES_OF.keys()].filter((word) => /^[^a-z\d]{2,}$/.test(word));

/** Kinds of pass that the last word typed may mean, or begin to. */
export function passTypesLike(keyword: string): PassType[] {
  const typed = searchFold(keyword).trim().split(/\s+/u).at(-1) ?? "";
  if (typed.length < (/^[a-z]/.test(typed) ? 3 : 1)) return [];
  return PASS_TYPES.filter((type) =>
    [...TYPES_OF].some(([word, types]) => types.includes(type) && word.startsWith(typed)),
  );
}

/** 字幕周卡 is 字幕 and a week: the kind of pass is written onto the word, as Chinese and Japanese do. */
function withKind(word: string): string[] {
  const kind = KIND_WORDS.filter((each) => word.length > each.length && word.endsWith(each)).sort(
    (a, b) => b.length - a.length,
  )[0];
  const rest = kind ? tokensOf(textParts(word.slice(0, -kind.length))) : [];
  if (!kind || rest.length === 0) return [];
  return (TYPES_OF.get(kind) ?? []).map((type) => `(${phrase(rest)} & ${term("type", type)})`);
}

/** Does a short text hold every one of these words, or begin to? */
export function isBegun(text: string, words: readonly SearchWord[]): boolean {
  const said = textParts(text);
  const holds = (part: TextPart) =>
    said.some((each) =>
      each.kind === "word"
        ? part.kind === "word" && each.word.startsWith(part.word)
        : part.kind === "run" && each.letters.join("").includes(part.letters.join("")),
    );
  return words.every(({ word, filler }) => filler || textParts(word).every(holds));
}
