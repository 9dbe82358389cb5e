import { describe, expect, it } from "vitest";
import {
  fillKnownPlaceholders,
  fillPlaceholders,
  parseContentFile,
  plainText,
  unknownPlaceholders,
} from "@/lib/platform/content/content-file";

describe("placeholders", () => {
  const values = { refund_days: "15", brand: "Shop" };

  it("are replaced by their values", () => {
    expect(fillPlaceholders("{brand}: {refund_days} days, {refund_days}", values)).toBe("Shop: 15 days, 15");
  });

  it("without a value throw in imports and are kept on pages", () => {
    expect(unknownPlaceholders("{brand} {nothing} {constructor}", values)).toEqual([
      "nothing",
      "constructor",
    ]);
    expect(() => fillPlaceholders("{nothing}", values)).toThrow("{nothing}");
    expect(() => fillPlaceholders("{constructor}", values)).toThrow("{constructor}");
    expect(fillKnownPlaceholders("{brand} {nothing} {constructor}", values)).toBe(
      "Shop {nothing} {constructor}",
    );
  });

  it("are replaced literally, even by a value with a dollar sign", () => {
    expect(fillPlaceholders("{brand}", { brand: "$&$1" })).toBe("$&$1");
  });
});

describe("parseContentFile", () => {
  it("returns front matter and text", () => {
    const file = '---\r\ntitle: "A: b"\r\ndescription: 2026\r\n---\r\nText.\r\n';
    expect(parseContentFile(file)).toEqual({ title: "A: b", description: "2026", body: "Text." });
  });

  it.each([
    ["Text.", "front matter"],
    ["---\ntitle: a\nText.", "front matter"],
    ["---\ntitle: a: b\n---\nText.", "front matter"],
    ["---\n- a\n---\nText.", "front matter"],
    ["---\ndescription: b\n---\nText.", "no title"],
    ["---\ntitle: a\n---\nText.", "no description"],
    ["---\ntitle: a\ndescription: b\n---\n \n", "no text"],
  ])("rejects %j", (file, message) => {
    expect(() => parseContentFile(file)).toThrow(message);
  });
});

it("plainText removes markup, URLs and table lines", () => {
  expect(plainText("## A *b*\n\n| c | d |\n| --- | --- |\n| [e](/product/f) | `g` |\n\n> h")).toBe(
    "A b c d e g h",
  );
});
