import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseSearchQuery } from "@/lib/catalog/listing/contract";
import {
  documentTerm,
  isCertainSegmentation,
  matchPassTypes,
  namedOffer,
  searchWords,
  segmentSearchWords,
  synonymQuery,
  toAnyQuery,
  toTextQuery,
} from "@/lib/catalog/search/rules";
import {
  editDistance,
  oneEditRunQuery,
  oneEditVariants,
  rankCorrections,
  rankRunCorrections,
} from "@/lib/catalog/search/rules-typos";

const parseQuery = (keyword: string) => toTextQuery(searchWords(keyword));

describe("toTextQuery", () => {
  it.each([
    ["voice", "('voice':*)"],
    ["murre voice", "('murre') & ('voice':*)"],
    ["字幕", "('字幕')"],
    ["文字起", "(('文字' <1> '字起'))"],
    ["字", "('字':*)"],
    ["draft qu", "('draft') & (('qu' | 'qu':*ABC))"],
    ["ai-v", "(('ai' & ('v' | 'v':*ABC)))"],
    ["4Kビデオ", "('4k') & (('ビデ' <1> 'デオ'))"],
    ["2026年", "(('2026' <1> '年':*))"],
    ["cat", "('cat')"], // as a prefix it would match the term `category:…` of every product
    ["the best way to transcribe", "('way') & ('transcribe':*)"],
    ["AI app", "('ai')"],
    ["AI", "(('ai' | 'ai':*ABC))"],
    ["app", "(('app' | 'app':*ABC))"],
    ["翻譯", "('翻譯' | '翻译')"],
    [
      "らじおどらま",
      "(('らじ' <1> 'じお' <1> 'おど' <1> 'どら' <1> 'らま') | ('ラジ' <1> 'ジオ' <1> 'オド' <1> 'ドラ' <1> 'ラマ'))",
    ],
    ["free", "('free':* | 'price:free')"],
    ["free voice", "('voice':*)"],
    ["cheap voice", "('voice':*)"],
    ["字幕、翻訳", "(('字幕' <2> '翻訳'))"],
    ["weekly", "('weekly':* | 'type:week')"],
    ["3 days", "(('3' <1> 'days') | 'days:3')"],
    ["2 weeks", "(('2' <1> 'weeks') | 'days:14')"],
    ["6个月", "(('6' <1> '个月') | 'days:180')"],
    ["字幕周卡", "(('字幕' <1> '幕周' <1> '周卡') | ('字幕' & 'type:week'))"],
    ["voice pass", "('voice')"],
    ["100% (", "(('100' | '100':*ABC))"],
    ["翻译软件", "('翻译')"],
    ["翻訳ソフト", "('翻訳')"],
    ["マイクロソフト", "(('マイ' <1> 'イク' <1> 'クロ' <1> 'ロソ' <1> 'ソフ' <1> 'フト'))"],
    ["小工具", "(('小工' <1> '工具'))"],
  ])("%s", (keyword, result) => expect(parseQuery(keyword)).toMatchObject({ all: result }));

  it("returns `everything` without search words and `nothing` without letters", () => {
    expect(["", "  ", "pass", "通行证"].map(parseQuery)).toEqual(Array(4).fill("everything"));
    expect(["...", "😀", "%_\\", "(", "\u202e"].map(parseQuery)).toEqual(Array(5).fill("nothing"));
  });

  it("quotes all text for any input", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (keyword) => {
        const query = parseQuery(keyword);
        if (typeof query === "string") return;
        const unquoted = query.all.replace(/'[^'\\]+'(?::\*?[ABC]*)?/gu, "t");
        expect(unquoted).toMatch(/^[t()&| <>\d]+$/);
      }),
    );
  });

  it("has quotes and backslashes escaped by documentTerm", () =>
    expect(documentTerm("category", "a'b\\")).toBe("'category:a''b\\\\'"));
});

describe("segmentSearchWords", () => {
  const separate = (keyword: string) =>
    segmentSearchWords(searchWords(keyword)).map((words) => words.map(({ word }) => word).join(" "));

  it.each([
    ["字幕软件", []], // 软件 is an ending, which is left out before
    ["無料の画像生成", ["無料 の 画像生成", "無料 の 画像 生成"]],
    ["写真から背景を消す", ["写真 から 背景 を 消す"]],
    ["字幕", []],
    ["voice app", []],
  ])("%s", (keyword, readings) => expect(separate(keyword)).toEqual(readings));

  it("is uncertain when single letters or hiragana are left", () => {
    const isCertain = (keyword: string) =>
      segmentSearchWords(searchWords(keyword)).map(isCertainSegmentation).at(-1);
    expect(["写真から背景を消す", "字慕", "文字起ごし"].map(isCertain)).toEqual([true, false, false]);
  });
});

describe("words that name an offer, and synonyms", () => {
  it("distinguish cheapness from deals", () => {
    expect(["cheap", "セール", "voice"].map((keyword) => namedOffer(searchWords(keyword)))).toEqual([
      "cheap",
      "deals",
      null,
    ]);
  });

  it("include one of several words in toAnyQuery", () => {
    expect(toAnyQuery(searchWords("voice zzzz"))).toMatchObject({ all: "('voice') | ('zzzz')", any: true });
    expect(toAnyQuery(searchWords("voice"))).toBeNull();
  });

  it("are matched by synonymQuery outside of descriptions only", () =>
    expect(synonymQuery(["Text to speech", "読み上げ", "…"])).toBe(
      "('text':ABC <1> 'to':ABC <1> 'speech':ABC) | ('読み':ABC <1> 'み上':ABC <1> '上げ':ABC)",
    ));
});

describe("matchPassTypes", () => {
  it.each([
    ["wee", ["week"]],
    ["we", []],
    ["voice mon", ["month"]],
    ["终", ["lifetime"]],
    ["年", ["year"]],
    ["", []],
  ])("%s", (typed, types) => expect(matchPassTypes(typed)).toEqual(types));
});

describe("typo tolerance", () => {
  it("editDistance counts insertions, deletions, replacements and swaps", () => {
    expect(
      [
        ["abc", "abc"],
        ["abc", "ab"],
        ["ab", "abc"],
        ["abc", "axc"],
        ["abc", "acb"],
        ["abcd", "badc"],
        ["", "ab"],
      ].map(([a, b]) => editDistance([...a!], [...b!])),
    ).toEqual([0, 1, 1, 1, 1, 2, 2]);
  });

  it("oneEditVariants returns words at distance one", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{4,9}$/), (word) => {
        const result = oneEditVariants(word);
        for (const variant of result) expect(editDistance([...word], [...variant])).toBe(1);
        expect(result).toEqual(expect.arrayContaining([word.slice(1), `${word}0`, `0${word.slice(1)}`]));
      }),
      { numRuns: 20 },
    );
  });

  it("rankCorrections allows one typo, in long words two, and sorts by distance, then rank", () => {
    const words = (...result: string[]) => result.map((word, rank) => ({ word, rank }));
    expect(rankCorrections("quilon", words("quilion", "quillon", "quinton"))).toEqual(["quilion", "quillon"]);
    expect(rankCorrections("tanscripton", words("transcriptive", "transcription"))).toEqual([
      "transcription",
    ]);
    expect(rankCorrections("draft", words("draft", "drafts"))).toEqual(["drafts"]);
  });

  it("oneEditRunQuery queries Chinese and Japanese text with gaps", () => {
    expect(oneEditRunQuery([..."字幕"])).toBe("'幕':*AB | '幕字':AB | '字':*AB | ('字':*AB <2> '幕':*AB)");
    expect(oneEditRunQuery([..."自动生成"])).toContain("('自动' <3> '成':*)");
    expect(rankRunCorrections([..."字慕"], [{ text: "自动生成字幕。", weight: 1 }])).toEqual(["字幕"]);
  });
});

describe("price_per_day_to", () => {
  it("is a filter", () => {
    expect(parseSearchQuery({ price_per_day_to: "0.5" })).toMatchObject({
      filtered: 1,
      blank: false,
      search: { price_per_day_to: 0.5 },
    });
    expect(parseSearchQuery({ price_per_day_to: "-1" })).toMatchObject({ filtered: 0, blank: true });
  });
});
