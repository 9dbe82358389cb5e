import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseSearchQuery } from "@/lib/catalog/listing/contract";
import { passTypesLike, searchQuestion, searchWords } from "@/lib/catalog/search/rules";
import { likelyRuns, oneSlipFrom, oneSlipQuery, slipsBetween } from "@/lib/catalog/search/rules-typos";

const ask = (keyword: string) => searchQuestion(searchWords(keyword));

describe("a question", () => {
  it.each([
    ["voice", "('voice':*)"],
    ["murre voice", "('murre') & ('voice':*)"],
    ["字幕", "('字幕')"],
    ["文字起", "(('文字' <1> '字起'))"],
    ["字", "('~字')"],
    ["draft qu", "('draft') & (('qu' | '~<qu'))"],
    ["ai-d", "(('ai' & ('d' | '~<d')))"],
    ["4Kビデオ", "(('4k' <1> 'ビデ' <1> 'デオ'))"],
    ["字幕、翻訳", "(('字幕' <2> '翻訳'))"],
    ["weekly", "('weekly':* | '~week')"],
    ["3 days", "(('3' <1> 'days') | '~d3')"],
    ["2 weeks", "(('2' <1> 'weeks') | '~d14')"],
    ["6个月", "(('6' <1> '个月') | '~d180')"],
    ["字幕周卡", "(('字幕' <1> '幕周' <1> '周卡') | ('字幕' & '~week'))"],
    ["voice pass", "('voice')"],
    ["100% (", "(('100' | '~<100'))"],
  ])("%s", (keyword, all) => expect(ask(keyword)).toMatchObject({ all }));

  it("tells a beginning that words of the list may stand for", () => {
    const beginnings = ["murre voice", "voi", "字幕", "voice pass", "3 days", "draft-voice"].map(
      (keyword) => {
        const question = ask(keyword);
        return typeof question === "string" ? question : question.beginning;
      },
    );
    expect(beginnings).toEqual(["voice", null, null, null, null, null]);
  });

  it("wants everything, or nothing", () => {
    expect(["", "  ", "pass", "通行证"].map(ask)).toEqual(Array(4).fill("everything"));
    expect(["...", "😀", "%_\\", "(", "\u202e"].map(ask)).toEqual(Array(5).fill("nothing"));
  });

  it("holds quotes only around letters, whatever is typed", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (keyword) => {
        const question = ask(keyword);
        if (typeof question === "string") return;
        const bare = question.all.replace(/'[^'\\]+'(?::\*?[AB]*)?/gu, "t");
        expect(bare).toMatch(/^[t()&| <>\d]+$/);
      }),
    );
  });
});

describe("kinds of pass that are begun", () => {
  it.each([
    ["wee", ["week"]],
    ["we", []],
    ["voice mon", ["month"]],
    ["终", ["lifetime"]],
    ["年", ["year"]],
    ["", []],
  ])("%s", (typed, types) => expect(passTypesLike(typed)).toEqual(types));
});

describe("slips", () => {
  it("are one letter added, left out, changed or exchanged", () => {
    expect(
      [
        ["abc", "abc"],
        ["abc", "ab"],
        ["ab", "abc"],
        ["abc", "axc"],
        ["abc", "acb"],
        ["abcd", "badc"],
        ["", "ab"],
      ].map(([a, b]) => slipsBetween([...a!], [...b!])),
    ).toEqual([0, 1, 1, 1, 1, 2, 2]);
  });

  it("of a word are exactly those at distance one", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{4,9}$/), fc.nat(), (word, n) => {
        const all = oneSlipFrom(word);
        expect(slipsBetween([...word], [...all[n % all.length]!])).toBe(1);
        expect(all).toContain(word.slice(1));
        expect(all).toContain(`${word}0`);
      }),
    );
  });

  it("of a run are asked with gaps", () => {
    expect(oneSlipQuery([..."字幕"])).toBe("'幕':*AB | '幕字':AB | '字':*AB | ('字':*AB <2> '幕':*AB)");
    expect(oneSlipQuery([..."自动生成"])).toContain("('自动' <3> '成':*)");
    expect(likelyRuns([..."字慕"], [{ text: "自动生成字幕。", weight: 1 }])).toEqual(["字幕"]);
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
