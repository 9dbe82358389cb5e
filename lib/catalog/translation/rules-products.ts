import { byTranslation, type Locale, TRANSLATIONS } from "@/lib/platform/i18n/locales";
import { type DictionaryEntry, normalizeTerm, translateTerm } from "./rules-dictionary";
import { PRODUCT_NAMES } from "./rules-product-names";

/** Names and taglines of the demo's products that exist in English only. */
export const ENGLISH_ONLY: Readonly<Record<string, DictionaryEntry>> = {
  "Tessock SQL": { zh: "Tessock SQL 查询", ja: "Tessock SQL クエリ" },
  "Ask your database in plain words and check the SQL before it runs.": {
    zh: "用平常的话向数据库提问，执行前先核对 SQL。",
    ja: "ふだんの言葉でデータベースに質問し、実行前にSQLを確かめられます。",
  },
  "Ask your database in plain words and read the query before it runs.": {
    zh: "用平常的话向数据库提问，执行前先看清查询语句。",
    ja: "ふだんの言葉でデータベースに質問し、実行前にクエリを確かめられます。",
  },
  "Brindmoor Clauses": { zh: "Brindmoor 合同条款", ja: "Brindmoor 契約条項" },
  "Reads a contract under US or Canadian law and lists what to ask about.": {
    zh: "阅读适用美国或加拿大法律的合同，列出需要问清的事项。",
    ja: "米国法・カナダ法の契約書を読み、確認すべき点を一覧にします。",
  },
  "Docket Exam": { zh: "Docket 法律考试", ja: "Docket 法律試験" },
  "Marks your law exam essays the way examiners do.": {
    zh: "按阅卷人的标准批改法律考试作文。",
    ja: "法律試験の論文を、採点者と同じ基準で採点します。",
  },
  "Past questions for law exams, marked the way examiners do.": {
    zh: "法律考试历年真题，按阅卷人的标准评分。",
    ja: "法律試験の過去問を、採点者と同じ基準で採点します。",
  },
  Sonnetbird: { zh: "Sonnetbird 押韵词典", ja: "Sonnetbird 押韻辞典" },
  "A rhyming dictionary for songs, toasts and poems.": {
    zh: "写歌词、祝酒词和诗都用得上的英文押韵词典。",
    ja: "歌詞、祝辞、詩に使える英語の押韻辞典です。",
  },
  "A rhyming dictionary that counts feet and minds the sense.": {
    zh: "数音步、顾语义的英文押韵词典。",
    ja: "韻脚を数え、意味にも気を配る英語の押韻辞典です。",
  },
};

const ENTRIES: readonly (readonly [text: string, entry: DictionaryEntry])[] = [
  ...PRODUCT_NAMES.map(
    ([name, ...translated]) =>
      [name, byTranslation((locale) => translated[TRANSLATIONS.indexOf(locale)] ?? name)] as const,
  ),
  ...Object.entries(ENGLISH_ONLY),
];
const PRODUCTS: Readonly<Record<string, DictionaryEntry>> = Object.fromEntries(
  ENTRIES.map(([text, entry]) => [normalizeTerm(text), entry]),
);

/**
 * Translates the English name or tagline of a product, or a pass name, by the dictionary; else returns the text
 * (docs/product.md#13-languages-and-translation). rules-product-names.ts is written by scripts/write-dictionary.ts.
 */
export function translateProductText(text: string, language: string): string {
  const translated = translateTerm(text, language, PRODUCTS);
  return translated === text ? translateTerm(text, language) : translated;
}

/** The English names and taglines, in lower case, whose translation begins with this text, in lower case too. */
export const findTranslatedTexts = (beginning: string, locale: Locale): string[] =>
  ENTRIES.map(([text]) => text.toLowerCase()).filter((text) => {
    const translated = translateProductText(text, locale).toLowerCase();
    return translated !== text && translated.startsWith(beginning);
  });
