import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CreateReviewInput } from "@/lib/reviews/contract";
import { CONTENT_MAX, detectLanguage, plainText, TITLE_MAX } from "@/lib/reviews/rules";

const review = (overrides: object = {}) => ({
  product_id: 1,
  order_id: "ord_1",
  rating: 5,
  title: "Good",
  content: "It works.",
  ...overrides,
});
const validationErrors = (overrides: object) =>
  CreateReviewInput.safeParse(review(overrides)).error?.issues.map(({ path, message }) => [
    path[0],
    message,
  ]) ?? [];

describe("CreateReviewInput", () => {
  it.each([undefined, null, "", 0, 6, -1, 2.5, "many", [], {}])("rejects the rating %j", (rating) => {
    expect(validationErrors({ rating })).toEqual([["rating", "rating_missing"]]);
  });

  it.each([undefined, null, "", " \n\t ", "\u202e\u200b".slice(0, 1), 5])(
    "rejects %j as title and content",
    (text) => {
      expect(validationErrors({ title: text })).toEqual([["title", "review_title_missing"]]);
      expect(validationErrors({ content: text })).toEqual([["content", "review_content_missing"]]);
    },
  );

  it("accepts the maximum lengths and rejects one more character", () => {
    const [title, content] = ["t".repeat(TITLE_MAX), "c".repeat(CONTENT_MAX)];
    expect(validationErrors({ title, content })).toEqual([]);
    expect(validationErrors({ title: `${title}t` })).toEqual([["title", expect.stringContaining("120")]]);
    expect(validationErrors({ content: `${content}c` })).toEqual([
      ["content", expect.stringContaining("4000")],
    ]);
    expect(validationErrors({ content: "c".repeat(60_000) })).toHaveLength(1);
  });
});

describe("review text", () => {
  it("keeps lines and loses control characters", () => {
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

  it("has no control characters after plainText, which is idempotent", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.boolean(), (text, lines) => {
        const plain = plainText(text, { keepLines: lines });
        expect(plain).not.toMatch(lines ? /[^\P{Cc}\n]/u : /\p{Cc}/u);
        expect(plainText(plain, { keepLines: lines })).toBe(plain);
      }),
    );
  });

  it("gets its language from the script, then from the request language", () => {
    expect(detectLanguage("It works", "zh")).toBe("en");
    expect(detectLanguage("It works", "en")).toBe("en");
    expect(detectLanguage("正好够用", "en")).toBe("zh");
    expect(detectLanguage("正好够用", "zh")).toBe("zh");
    expect(detectLanguage("簡単便利", "ja")).toBe("ja");
    expect(detectLanguage("Draft は便利", "en")).toBe("ja");
    expect(detectLanguage("👍 10/10", "ja")).toBe("ja");
  });
});
