import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseSearchQuery } from "@/lib/catalog/listing/contract";
import { documentTerm, matchPassTypes, searchWords, toTextQuery } from "@/lib/catalog/search/rules";
import {
  editDistance,
  oneEditRunQuery,
  oneEditVariants,
  rankCorrections,
  rankRunCorrections,
} from "@/lib/catalog/search/rules-typos";

const queryOf = (keyword: string) => toTextQuery(searchWords(keyword));

describe("a query", () => {
  it.each([
    ["voice", "('voice':*)"],
    ["murre voice", "('murre') & ('voice':*)"],
    ["字幕", "('字幕')"],
    ["文字起", "(('文字' <1> '字起'))"],
    ["字", "('字':*)"],
    ["draft qu", "('draft') & (('qu' | 'qu':*AB))"],
    ["ai-d", "(('ai' & ('d' | 'd':*AB)))"],
    ["4Kビデオ", "(('4k' <1> 'ビデ' <1> 'デオ'))"],
    ["字幕、翻訳", "(('字幕' <2> '翻訳'))"],
    ["weekly", "('weekly':* | 'type:week')"],
    ["3 days", "(('3' <1> 'days') | 'days:3')"],
    ["2 weeks", "(('2' <1> 'weeks') | 'days:14')"],
    ["6个月", "(('6' <1> '个月') | 'days:180')"],
    ["字幕周卡", "(('字幕' <1> '幕周' <1> '周卡') | ('字幕' & 'type:week'))"],
    ["voice pass", "('voice')"],
    ["100% (", "(('100' | '100':*AB))"],
  ])("%s", (keyword, all) => expect(queryOf(keyword)).toMatchObject({ all }));

  it("wants everything, or nothing", () => {
    expect(["", "  ", "pass", "通行证"].map(queryOf)).toEqual(Array(4).fill("everything"));
    expect(["...", "😀", "%_\\", "(", "\u202e"].map(queryOf)).toEqual(Array(5).fill("nothing"));
  });

  it("holds quotes only around letters, whatever is typed", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (keyword) => {
        const query = queryOf(keyword);
        if (typeof query === "string") return;
        const bare = query.all.replace(/'[^'\\]+'(?::\*?[AB]*)?/gu, "t");
        expect(bare).toMatch(/^[t()&| <>\d]+$/);
      }),
    );
  });

  it("quotes what a term holds", () => expect(documentTerm("category", "a'b\\")).toBe("'category:a''b\\\\'"));
});

describe("kinds of pass that are begun", () => {
  it.each([
    ["wee", ["week"]],
    ["we", []],
    ["voice mon", ["month"]],
    ["终", ["lifetime"]],
    ["年", ["year"]],
    ["", []],
  ])("%s", (typed, types) => expect(matchPassTypes(typed)).toEqual(types));
});

describe("typos", () => {
  it("count letters added, left out, changed and swapped", () => {
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

  it("of a word are looked up as every word at distance one", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{4,9}$/), (word) => {
        const all = oneEditVariants(word);
        for (const each of all) expect(editDistance([...word], [...each])).toBe(1);
        expect(all).toEqual(expect.arrayContaining([word.slice(1), `${word}0`, `0${word.slice(1)}`]));
      }),
      { numRuns: 20 },
    );
  });

  it("of a word are one letter, of a long one two; the nearest word comes first, then that of a name", () => {
    const words = (...all: string[]) => all.map((word, rank) => ({ word, rank }));
    expect(rankCorrections("quilon", words("quilion", "quillon", "quinton"))).toEqual(["quilion", "quillon"]);
    expect(rankCorrections("tanscripton", words("transcriptive", "transcription"))).toEqual([
      "transcription",
    ]);
    expect(rankCorrections("draft", words("draft", "drafts"))).toEqual(["drafts"]);
  });

  it("of a run are queried with gaps", () => {
    expect(oneEditRunQuery([..."字幕"])).toBe("'幕':*AB | '幕字':AB | '字':*AB | ('字':*AB <2> '幕':*AB)");
    expect(oneEditRunQuery([..."自动生成"])).toContain("('自动' <3> '成':*)");
    expect(rankRunCorrections([..."字慕"], [{ text: "自动生成字幕。", weight: 1 }])).toEqual(["字幕"]);
  });
});

describe("the price per day in the address", () => {
  it("is a filter like the others", () => {
    expect(parseSearchQuery({ price_per_day_to: "0.5" })).toMatchObject({
      filtered: 1,
      blank: false,
      search: { price_per_day_to: 0.5 },
    });
    expect(parseSearchQuery({ price_per_day_to: "-1" })).toMatchObject({ filtered: 0, blank: true });
  });
});
