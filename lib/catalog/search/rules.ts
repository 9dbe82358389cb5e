import { PASS_TYPES, type PassType } from "@/lib/catalog/rules";
import { searchFold, segmentWords, splitScripts, type TextPart, textParts } from "./rules-text";
import { spellingVariants } from "./rules-variants";

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
  /** not required beside other words: `stop` is ignored ("the", する), `general` raises what has it ("app", "AI", 软件) */
  optional?: "stop" | "general";
  /** separated from Chinese or Japanese text, perhaps in the middle of a misspelt word */
  isDoubtful?: boolean;
  /** free passes are meant */
  free?: boolean;
  /** other words of the vocabulary with the same English stem; for a beginning of a filter term, those it begins */
  inflections?: string[];
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

const wordSet = (words: string) => new Set(words.trim().split(/\s+/).map(searchFold));

/** General words for cheapness and offers, which sort or filter the list when the query has no other words. */
const CHEAP_WORDS = wordSet(
  "cheap cheaper cheapest affordable 便宜 平价 低价 最便宜 安い 格安 激安 最安 お得",
);
const DEAL_WORDS = wordSet(
  "deal deals sale sales discount discounts promotion 优惠 折扣 打折 特价 促销 セール 割引 特価 値引き キャンペーン",
);
const FREE_WORDS = wordSet("free gratis freebie 免费 免費 無料 タダ 0元");

const FILLERS = new Set([
  ...wordSet(
    "pass passes plan plans price prices subscription 卡 会员 会员卡 通行证 套餐 价格 パス プラン 券 価格 料金",
  ),
  ...CHEAP_WORDS,
  ...DEAL_WORDS,
]);

const STOP_WORDS = wordSet(`
  a an the to for of in on at with and or my me i we you your it its is are be that this which who how what can could do
  does want need help helps from into by as using use via let lets get some any app apps application applications
  software tool tools program programs online website site service
  的 了 和 与 在 把 给 我 要 想 帮 帮我 一个 怎么 如何 什么 可以 能 请 吧 吗 呢 将 被 及 或 用 做 弄 搞 个
  软件 软体 工具 应用 应用程序 网站 平台 在线 线上 小程序
  の を に は が で と へ も や から まで など たい する した して しい ます です ください 方法 やり方 ため こと できる したい 用
  つける 付ける つくる なおす 使う つかう 使える アプリ ソフト ソフトウェア ツール サイト サービス オンライン`);

/** Endings that only mean "app": 翻译软件 searches for 翻译, 翻訳ソフト for 翻訳. */
const APP_ENDINGS = [
  ...wordSet("软件 软体 工具 应用程序 应用 网站 平台 アプリ ソフトウェア ソフト ツール サイト サービス"),
];

const GENERAL_WORDS = wordSet(`
  ai artificial intelligence best top good new automatic automatically auto smart assistant helper maker generator creator
  builder make create generate build convert converter turn change changer
  人工智能 智能 自动 神器 好用 推荐 助手 生成器 制作 生成
  人工知能 おすすめ オススメ 自動 作成 制作 作る 作り 生成 機能`);

const optionality = (word: string): SearchWord["optional"] => {
  const spellings = [word, ...spellingVariants(word)];
  if (spellings.some((spelling) => STOP_WORDS.has(spelling))) return "stop";
  return spellings.some((spelling) => GENERAL_WORDS.has(spelling)) || FREE_WORDS.has(word)
    ? "general"
    : undefined;
};

const PASS_TYPES_BY_WORD = new Map<string, PassType[]>();
for (const type of PASS_TYPES)
  for (const word of PASS_WORDS[type].split(" "))
    PASS_TYPES_BY_WORD.set(searchFold(word), [...(PASS_TYPES_BY_WORD.get(searchFold(word)) ?? []), type]);

/** "3 days", 7天卡, 3日間パス, "2 weeks", 6个月; years and months of one digit or two, so that "2026年" is not a length. */
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
  const words = rest
    .split(/\s+/u)
    .filter(Boolean)
    .map(stripPunctuation)
    .flatMap((word) => (PASS_TYPES_BY_WORD.has(word) ? [word] : splitScripts(word).map(stripPunctuation)))
    .flatMap(splitAppEnding);
  return [...durations, ...[...new Set(words)].map(toSearchWord)].slice(0, MAX_WORDS);
}

/** A word without the ending that names an app, and the ending. Katakana after katakana can be one word (マイクロソフト). */
function splitAppEnding(word: string): string[] {
  const ending = APP_ENDINGS.find((each) => word.endsWith(each));
  const rest = ending ? word.slice(0, -ending.length) : "";
  const isOneWord = ending && KATAKANA.test(ending) && KATAKANA.test(rest.slice(-1));
  return ending && [...rest].length > 1 && !isOneWord ? [rest, ending] : [word];
}

const KATAKANA = /^[\u30a1-\u30fc]+$/u;

const toSearchWord = (word: string): SearchWord => ({
  word,
  types: PASS_TYPES_BY_WORD.get(word) ?? [],
  days: null,
  filler: FILLERS.has(word),
  optional: optionality(word),
  free: FREE_WORDS.has(word),
});

/**
 * The words with Chinese and Japanese ones separated by a dictionary, in two ways: only at words without meaning
 * (無料の画像生成 is 無料 and 画像生成), and everywhere. Without those that change nothing.
 */
export function segmentSearchWords(words: readonly SearchWord[]): SearchWord[][] {
  const separate = (join: boolean) =>
    words
      .flatMap((each) => {
        if (each.types.length > 0 || each.days !== null || each.filler) return [each];
        const segments = segmentWords(each.word);
        if (segments.length === 1) return [each];
        return (join ? joinMeaningful(segments) : segments).map(toSegment);
      })
      .slice(0, MAX_WORDS);
  const [joined, separated] = [separate(true), separate(false)];
  const readings = joined.length < separated.length ? [joined, separated] : [separated];
  return readings.filter(({ length }) => length > words.length);
}

function joinMeaningful(segments: readonly string[]): string[] {
  const isApart = (segment: string) => optionality(segment) === "stop" || FREE_WORDS.has(segment);
  const joined: string[] = [];
  for (const [i, segment] of segments.entries()) {
    const previous = segments[i - 1];
    if (previous === undefined || isApart(previous) || isApart(segment)) joined.push(segment);
    else joined.push(joined.pop() + segment);
  }
  return joined;
}

const HIRAGANA = /^[\u3041-\u3096\u30fc]+$/u;

/**
 * A separated word. A single letter at the beginning, as 学 of 学编程, is often a verb without which the product is found.
 * Single letters elsewhere, and hiragana, can be parts of a misspelt word.
 */
function toSegment(segment: string, index: number): SearchWord {
  const word = toSearchWord(segment);
  const isSingle = [...segment].length === 1;
  if (word.optional || !(isSingle || HIRAGANA.test(segment))) return word;
  return { ...word, optional: isSingle ? "general" : undefined, isDoubtful: !isSingle || index > 0 };
}

/** Whether the words were certainly separated where one word ends and another begins. */
export const isCertainSegmentation = (words: readonly SearchWord[]): boolean =>
  words.every(({ isDoubtful }) => !isDoubtful) &&
  requiredWords(words).every(({ word }) => [...word].length > 1);

/** What a keyword of general price words means: all passes from the cheapest, or those with a running deal. */
export function namedOffer(words: readonly SearchWord[]): "cheap" | "deals" | null {
  if (words.some(({ word }) => DEAL_WORDS.has(word))) return "deals";
  return words.some(({ word }) => CHEAP_WORDS.has(word)) ? "cheap" : null;
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
  /** in name, tagline, vendor or category, which say what a product is */
  inTitle: string;
  /** in name, tagline, vendor, category or search terms */
  inHead: string;
};

/**
 * `all` must match; `words` are for the ranking. `general` words, and the words as a `phrase`, raise a product that has
 * them. `any`: one of the words is enough, and the number of matching words ranks. "everything": no or general words only; "nothing": no letter.
 */
export type TextQuery =
  | "everything"
  | "nothing"
  | { all: string; words: WordQuery[]; general: string[]; phrase: string | null; any?: boolean };

export function toTextQuery(words: readonly SearchWord[]): TextQuery {
  if (words.length === 0) return "everything";
  const searchable = words.filter(({ word }) => textParts(word).length > 0);
  const required = requiredWords(searchable);
  const ranked = searchable.filter((word) => required.includes(word) || word.filler);
  const last = searchable.at(-1);
  if (required.length === 0) return searchable.length > 0 ? "everything" : "nothing";
  const queries = new Map(ranked.map((word) => [word, wordQuery(word, word === last)]));
  return {
    all: required.map((word) => queries.get(word)!.anywhere).join(" & "),
    words: [...queries.values()],
    general: searchable
      .filter((word) => word.optional === "general" && !required.includes(word))
      .map((word) => wordQuery(word, false).inHead),
    phrase:
      searchable.length > 1
        ? phraseQuery(toQueryTokens(searchable.flatMap(({ word }) => textParts(word))), "ABC")
        : null,
  };
}

/** A query that one of the required words satisfies. Null for a single one. General words, single letters, hiragana and kinds of pass do not count. */
export function toAnyQuery(words: readonly SearchWord[]): TextQuery | null {
  const required = requiredWords(words).filter(
    ({ word, types, days, optional }) =>
      textParts(word).length > 0 &&
      !optional &&
      types.length === 0 &&
      days === null &&
      [...word].length > 1 &&
      !HIRAGANA.test(word),
  );
  if (required.length === 0 || (required.length === 1 && words.length === 1)) return null;
  const queries = required.map((word) => wordQuery(word, false));
  return {
    all: queries.map(({ anywhere }) => anywhere).join(" | "),
    words: queries,
    general: [],
    phrase: null,
    any: true,
  };
}

/** The words that must occur: general words and stop words only when there are no others. */
export function requiredWords(words: readonly SearchWord[]): SearchWord[] {
  const specific = words.filter(({ filler }) => !filler);
  const withoutOptional = specific.filter(({ optional }) => !optional);
  if (withoutOptional.length > 0) return withoutOptional;
  const general = specific.filter(({ optional }) => optional === "general");
  return general.length > 0 ? general : specific;
}

/** A filter term of a search document, in addition to its words (db/functions/refresh_search_documents.sql). */
export const documentTerm = (kind: "category" | "type" | "days" | "price", value: string | number) =>
  `'${kind}:${String(value).replace(/['\\]/g, "$&$&")}'`;

function wordQuery({ word, types, days, free, inflections = [] }: SearchWord, last: boolean): WordQuery {
  const isPrefix = last && days === null;
  const parts = textParts(word);
  const others = [...spellingVariants(word), ...inflections].map(textParts);
  const text = (weights: string, isPrefix = false) =>
    anyOf([
      phraseQuery(toQueryTokens(parts, isPrefix), weights),
      ...others.map((other) => phraseQuery(toQueryTokens(other), weights)),
    ]);
  const terms = [
    ...types.map((type) => documentTerm("type", type)),
    ...(days === null ? passTypeSuffixTerms(word) : [documentTerm("days", days)]),
    ...(free ? [documentTerm("price", "free")] : []),
  ];
  const anywhere = [
    anywhereQuery(parts, isPrefix),
    ...others.map((other) => phraseQuery(toQueryTokens(other))),
    ...terms,
  ];
  return {
    anywhere: `(${anywhere.join(" | ")})`,
    inName: text("A"),
    startsInName: text("A", isPrefix),
    inTitle: text("AB", isPrefix),
    inHead: free ? documentTerm("price", "free") : text("ABC", isPrefix),
  };
}

const anyOf = (queries: string[]) => (queries.length > 1 ? `(${queries.join(" | ")})` : queries[0]!);

/** A tsquery for documents that have one of the terms in name, tagline, vendor, category or search terms. */
export const synonymQuery = (terms: readonly string[]): string =>
  terms
    .map(textParts)
    .filter((parts) => parts.length > 0)
    .map((parts) => phraseQuery(toQueryTokens(parts), "ABC"))
    .join(" | ");

/** Beginnings of the filter terms of documents: as a prefix, such a word would match the terms of all products. */
const TERM_NAMES = ["category", "type", "days", "price"];
export const beginsTerm = (word: string): boolean => TERM_NAMES.some((name) => name.startsWith(word));

/** A token of a query; `step` is its distance from the previous one. */
export type QueryToken = { token: string; step: number; isPrefix?: boolean };

/** The query tokens of words and runs. A run becomes its bigrams; a single letter becomes a prefix of bigrams. */
export function toQueryTokens(parts: readonly TextPart[], isPrefix = false): QueryToken[] {
  let step = 1;
  return parts.flatMap((part, i): QueryToken[] => {
    const first = step;
    if (part.kind === "word") {
      step = 1;
      const prefix = isPrefix && i === parts.length - 1 && !beginsTerm(part.word);
      return [{ token: part.word, step: first, isPrefix: prefix }];
    }
    const { letters } = part;
    step = letters.length > 1 ? 2 : 1;
    if (letters.length === 1) return [{ token: letters.join(""), step: first, isPrefix: true }];
    return letters.slice(1).map((letter, n) => ({ token: (letters[n] ?? "") + letter, step: n ? 1 : first }));
  });
}

/** A prefix up to this length matches in names, taglines, vendors, categories and search terms only. */
const SHORT_PREFIX = 3;

/** A query for text anywhere in a product. A short prefix is restricted, because it would match almost every text. */
export function anywhereQuery(parts: readonly TextPart[], isPrefix: boolean): string {
  const last = parts.at(-1);
  const short =
    isPrefix && last?.kind === "word" && [...last.word].length <= SHORT_PREFIX && !beginsTerm(last.word);
  if (!short) return phraseQuery(toQueryTokens(parts, isPrefix));
  const beginning = `('${last.word}' | '${last.word}':*ABC)`;
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

/** The pass types and lengths that the words name. */
export function findNamedPasses(words: SearchWord[]): { types: PassType[]; days: number[] } | undefined {
  const types = words.flatMap((word) => word.types);
  const days = words.flatMap((word) => word.days ?? []);
  return types.length + days.length > 0 ? { types, days } : undefined;
}

/** Whether a keyword names passes or deals, so that the pass of a result is not just the cheapest one of its product. */
export function namesPasses(keyword: string): boolean {
  const words = searchWords(keyword);
  return findNamedPasses(words) !== undefined || namedOffer(words) === "deals";
}

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
  return requiredWords(words).every(({ word }) => textParts(word).every(isIncluded));
}
