import { PASS_TYPES, type PassType } from "@/lib/catalog/rules";
import { searchFold, type TextPart, textParts } from "./rules-text";

/** One word of a keyword, with the plans that it may name. */
export type SearchWord = {
  /** folded text */
  word: string;
  /** pass types that the word names ("weekly", 周卡, 年間パス) */
  types: PassType[];
  /** number of days that it names ("3 days", 7天, "2 weeks") */
  days: number | null;
  /** a general word for passes, which does not restrict the results */
  filler: boolean;
};

const MAX_WORDS = 12;

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

const PASS_TYPES_BY_WORD = new Map<string, PassType[]>();
for (const type of PASS_TYPES)
  for (const word of PASS_WORDS[type].split(" "))
    PASS_TYPES_BY_WORD.set(searchFold(word), [...(PASS_TYPES_BY_WORD.get(searchFold(word)) ?? []), type]);

/** "3 days", 7天卡, 3日間パス, "2 weeks", 6个月; years and months of one digit or two, so that "2026年" is no length. */
const DURATION_PATTERN =
  /(?<![\p{L}\p{N}])(?:(\d{1,4})[ -]?(?:days?|天|日間|日)|(\d{1,2})[ -]?(?:(weeks?|周|週間|週)|(months?|个月|か月間?|ヶ月間?|ヵ月間?|カ月間?)|(?:years?|年間|年)))(?:[ -]?(?:pass(?:es)?|卡|パス|券))?(?![\p{L}\p{N}])/gu;

/** The words of a keyword, without the punctuation around them. */
export function searchWords(keyword: string): SearchWord[] {
  const durations: SearchWord[] = [];
  const rest = searchFold(keyword)
    .replace(/\p{Cc}/gu, " ")
    .replace(DURATION_PATTERN, (found, days?: string, count?: string, weeks?: string, months?: string) => {
      const daysPerUnit = days ? 1 : weeks ? 7 : months ? 30 : 365;
      durations.push({
        word: found.trim(),
        types: [],
        days: Number(days ?? count) * daysPerUnit,
        filler: false,
      });
      return " ";
    });
  const words = rest.split(/\s+/u).filter(Boolean).map(stripPunctuation);
  return [
    ...durations,
    ...[...new Set(words)].map((word) => ({
      word,
      types: PASS_TYPES_BY_WORD.get(word) ?? [],
      days: null,
      filler: FILLERS.has(word),
    })),
  ].slice(0, MAX_WORDS);
}

const stripPunctuation = (word: string) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}+#]+$/gu, "") || word;

/** The queries of a word, as tsquery text. They are built of tokens, so that no input is read as syntax. */
type WordQuery = {
  /** anywhere in a product, or as a pass type or length */
  anywhere: string;
  /** in a name, as a whole word */
  inName: string;
  /** in a name; the last word as a prefix */
  startsInName: string;
  /** in name, tagline, vendor or category */
  inHead: string;
};

/** `all` must match, `words` are for the ranking. "everything": no or general words only; "nothing": no letter. */
export type TextQuery = "everything" | "nothing" | { all: string; words: WordQuery[] };

export function toTextQuery(words: SearchWord[]): TextQuery {
  if (words.length === 0) return "everything";
  const searchable = words.filter(({ word }) => textParts(word).length > 0);
  const queries = searchable.map((word, i) => wordQuery(word, i === searchable.length - 1));
  const required = queries.filter((_, i) => !searchable[i]?.filler);
  if (required.length > 0)
    return { all: required.map(({ anywhere }) => anywhere).join(" & "), words: queries };
  return searchable.length > 0 ? "everything" : "nothing";
}

/** A filter term of a search document, in addition to its words (db/functions/refresh_search_documents.sql). */
export const documentTerm = (kind: "category" | "type" | "days", value: string | number) =>
  `'${kind}:${String(value).replace(/['\\]/g, "$&$&")}'`;

function wordQuery({ word, types, days }: SearchWord, last: boolean): WordQuery {
  const text = (weights: string, isPrefix = false) =>
    phraseQuery(toQueryTokens(textParts(word), isPrefix), weights);
  const isPrefix = last && days === null;
  const passTerms = [
    ...types.map((type) => documentTerm("type", type)),
    ...(days === null ? passTypeSuffixTerms(word) : [documentTerm("days", days)]),
  ];
  return {
    anywhere: `(${[anywhereQuery(textParts(word), isPrefix), ...passTerms].join(" | ")})`,
    inName: text("A"),
    startsInName: text("A", isPrefix),
    inHead: text("AB", isPrefix),
  };
}

/** A token of a query; `step` is its distance from the previous one. */
export type QueryToken = { token: string; step: number; isPrefix?: boolean };

/** The query tokens of words and runs. A run becomes its bigrams; a single letter becomes a prefix of bigrams. */
export function toQueryTokens(parts: readonly TextPart[], isPrefix = false): QueryToken[] {
  let step = 1;
  return parts.flatMap((part, i): QueryToken[] => {
    const first = step;
    if (part.kind === "word") {
      step = 1;
      return [{ token: part.word, step: first, isPrefix: isPrefix && i === parts.length - 1 }];
    }
    const { letters } = part;
    step = letters.length > 1 ? 2 : 1;
    if (letters.length === 1) return [{ token: letters.join(""), step: first, isPrefix: true }];
    return letters.slice(1).map((letter, n) => ({ token: (letters[n] ?? "") + letter, step: n ? 1 : first }));
  });
}

/** A prefix up to this length matches in names, taglines, vendors and categories only. */
const SHORT_PREFIX = 3;

/** A query for text anywhere in a product. A short prefix is restricted, because it would match almost every text. */
export function anywhereQuery(parts: readonly TextPart[], isPrefix: boolean): string {
  const last = parts.at(-1);
  const short = isPrefix && last?.kind === "word" && [...last.word].length <= SHORT_PREFIX;
  if (!short) return phraseQuery(toQueryTokens(parts, isPrefix));
  const beginning = `('${last.word}' | '${last.word}':*AB)`;
  return parts.length === 1
    ? beginning
    : `(${phraseQuery(toQueryTokens(parts.slice(0, -1)))} & ${beginning})`;
}

/** A phrase query of consecutive tokens; `weights` restrict the fields. Tokens contain no quotes. */
export function phraseQuery(tokens: readonly QueryToken[], weights = ""): string {
  const text = tokens
    .map(({ token, step, isPrefix }, i) => {
      const labels = (isPrefix ? "*" : "") + weights;
      return `${i ? ` <${step}> ` : ""}'${token}'${labels && `:${labels}`}`;
    })
    .join("");
  return tokens.length > 1 ? `(${text})` : text;
}

const PASS_TYPE_SUFFIXES = [...PASS_TYPES_BY_WORD.keys()].filter((word) => /^[^a-z\d]{2,}$/.test(word));

/** Pass types whose words begin with the last typed word. */
export function matchPassTypes(keyword: string): PassType[] {
  const typed = searchFold(keyword).trim().split(/\s+/u).at(-1) ?? "";
  if (typed.length < (/^[a-z]/.test(typed) ? 3 : 1)) return [];
  return PASS_TYPES.filter((type) =>
    [...PASS_TYPES_BY_WORD].some(([word, types]) => types.includes(type) && word.startsWith(typed)),
  );
}

/** Terms for a word that ends with a pass type, as in Chinese and Japanese: 字幕周卡 is 字幕 with a week pass. */
function passTypeSuffixTerms(word: string): string[] {
  const suffix = PASS_TYPE_SUFFIXES.filter(
    (candidate) => word.length > candidate.length && word.endsWith(candidate),
  ).sort((a, b) => b.length - a.length)[0];
  const rest = suffix ? toQueryTokens(textParts(word.slice(0, -suffix.length))) : [];
  if (!suffix || rest.length === 0) return [];
  return (PASS_TYPES_BY_WORD.get(suffix) ?? []).map(
    (type) => `(${phraseQuery(rest)} & ${documentTerm("type", type)})`,
  );
}

/** Whether a short text contains every word, as a whole or as a prefix. */
export function matchesPrefixes(text: string, words: readonly SearchWord[]): boolean {
  const includedParts = textParts(text);
  const isIncluded = (part: TextPart) =>
    includedParts.some((included) =>
      included.kind === "word"
        ? part.kind === "word" && included.word.startsWith(part.word)
        : part.kind === "run" && included.letters.join("").includes(part.letters.join("")),
    );
  return words.every(({ word, filler }) => filler || textParts(word).every(isIncluded));
}
