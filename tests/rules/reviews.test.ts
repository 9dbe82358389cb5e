import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CreateReviewInput } from "@/lib/reviews/contract";
import { CONTENT_MAX, detectLanguage, plainText, TITLE_MAX } from "@/lib/reviews/rules";

const review = (given: object = {}) => ({
  product_id: 1,
  order_id: "ord_1",
  rating: 5,
  title: "Good",
  content: "It works.",
  ...given,
});
const faults = (given: object) =>
  CreateReviewInput.safeParse(review(given)).error?.issues.map(({ path, message }) => [path[0], message]) ??
  [];

describe("what a review must have", () => {
  it.each([undefined, null, "", 0, 6, -1, 2.5, "many", [], {}])("refuses %j for a rating", (rating) => {
    expect(faults({ rating })).toEqual([["rating", "rating_missing"]]);
  });

  it.each([undefined, null, "", " \n\t ", "\u202e\u200b".slice(0, 1), 5])("refuses %j for words", (words) => {
    expect(faults({ title: words })).toEqual([["title", "review_title_missing"]]);
    expect(faults({ content: words })).toEqual([["content", "review_content_missing"]]);
  });

  it("takes as much as the form lets one type, and not a character more", () => {
    const [title, content] = ["t".repeat(TITLE_MAX), "c".repeat(CONTENT_MAX)];
    expect(faults({ title, content })).toEqual([]);
    expect(faults({ title: `${title}t` })).toEqual([["title", expect.stringContaining("120")]]);
    expect(faults({ content: `${content}c` })).toEqual([["content", expect.stringContaining("4000")]]);
    expect(faults({ content: "c".repeat(60_000) })).toHaveLength(1);
  });
});

describe("what a buyer wrote", () => {
  it("keeps its lines and loses what only disturbs", () => {
    const lines = { keepLines: true };
    expect(plainText("  One\r\ntwo\rthree\u2028four \u0007\u001b[31m ", lines)).toBe(
      "One\ntwo\nthree\nfour [31m",
    );
    expect(plainText("One\n\n\n \n\ntwo", lines)).toBe("One\n\ntwo");
    expect(plainText("safe \u202egnp.exe\u2066", lines)).toBe("safe gnp.exe");
    expect(plainText("a\tb", lines)).toBe("a b");
    expect(plainText(" A title\n on two\tlines ", { keepLines: false })).toBe("A title on two lines");
    expect(plainText("<b>bold</b> & 👩‍🚀", lines)).toBe("<b>bold</b> & 👩‍🚀");
  });

  it("of any text makes one that has no control characters, and stays as it is the second time", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.boolean(), (text, lines) => {
        const plain = plainText(text, { keepLines: lines });
        expect(plain).not.toMatch(lines ? /[^\P{Cc}\n]/u : /\p{Cc}/u);
        expect(plainText(plain, { keepLines: lines })).toBe(plain);
      }),
    );
  });

  it("is in the language of its script, and of the shop where that may be so", () => {
    expect(detectLanguage("It works", "zh")).toBe("en");
    expect(detectLanguage("It works", "en")).toBe("en");
    expect(detectLanguage("正好够用", "en")).toBe("zh");
    expect(detectLanguage("正好够用", "zh")).toBe("zh");
    expect(detectLanguage("簡単便利", "ja")).toBe("ja");
    expect(detectLanguage("Draft は便利", "en")).toBe("ja");
    expect(detectLanguage("👍 10/10", "ja")).toBe("ja");
  });
});
