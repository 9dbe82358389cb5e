import { PASS_TYPES, type PassType } from "./rules";

/** One word of a search: where it must occur, or which plans stand for it. */
export type SearchWord = {
  /** folded text */
  word: string;
  /** kinds of pass that the word means ("weekly", 周卡, 年間パス) */
  types: PassType[];
  /** number of days that it means ("3 days", 7天) */
  days: number | null;
  /** says only that passes are wanted, which everything here is */
  filler: boolean;
};

const MAX_WORDS = 12;

/** Folds case, width and Latin accents, so that "Ｃafé" and "cafe" are one. SQL does the same (queries-list.ts). */
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

const FILLERS = new Set("pass passes plan plans 卡 通行证 套餐 パス プラン 券".split(" ").map(foldText));

const TYPES_OF = new Map<string, PassType[]>();
for (const type of PASS_TYPES)
  for (const word of PASS_WORDS[type].split(" "))
    TYPES_OF.set(foldText(word), [...(TYPES_OF.get(foldText(word)) ?? []), type]);

const COUNTED_DAYS =
  /(\d{1,4})[ -]?(?:days?|天|日間|日)(?:[ -]?(?:pass(?:es)?|卡|パス|券))?(?![\p{L}\p{N}])/gu;

/**
 * The words of a keyword. Punctuation around a word is dropped, unless there is nothing else. An empty list means
 * that nothing was asked. Any text is taken.
 */
export function searchWords(keyword: string): SearchWord[] {
  const counted: SearchWord[] = [];
  const rest = foldText(keyword)
    .replace(/\p{Cc}/gu, " ")
    .replace(COUNTED_DAYS, (found, days: string) => {
      counted.push({ word: found.trim(), types: [], days: Number(days), filler: false });
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
