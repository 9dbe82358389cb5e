import { describe, expect, it } from "vitest";
import { type DeclaredCall, findMismatches, type Outcomes } from "../setup/outcomes";

const CALLS: DeclaredCall[] = [
  { method: "POST", path: "/cart/add", own: ["sold_out"], all: ["sold_out", "session_required"] },
  { method: "GET", path: "/product/[slug]", own: ["product_unknown"], all: ["product_unknown"] },
  { method: "GET", path: "/[...rest]", own: ["call_unknown"], all: ["call_unknown"] },
];
const seen = (more: [string, string[]][]): Outcomes =>
  new Map(more.map(([name, outcomes]) => [name, new Set(outcomes)]));
const ALL: [string, string[]][] = [
  ["POST /cart/add", ["200", "sold_out", "session_required"]],
  ["GET /product/ember", ["200"]],
  ["GET /product/none", ["product_unknown"]],
  ["GET /nothing/here", ["call_unknown"]],
];

describe("the refusals that tests have met, beside those that are declared", () => {
  it("fit when each declared one was met somewhere, and nothing else", () => {
    expect(findMismatches(seen(ALL), CALLS)).toEqual([]);
  });

  it("do not fit when a declared one, or a success, was met nowhere", () => {
    expect(findMismatches(seen(ALL.slice(1)), CALLS)).toEqual([
      "POST /cart/add: no test reaches 200, sold_out",
    ]);
    expect(findMismatches(seen(ALL.slice(0, 3)), CALLS)).toEqual([
      "GET /[...rest]: no test reaches call_unknown",
    ]);
    expect(findMismatches(seen([...ALL.slice(0, 2), ALL[3]!]), CALLS)).toEqual([
      "GET /product/[slug]: no test reaches product_unknown",
    ]);
  });

  it("do not fit when one was answered that the call does not declare", () => {
    const odd: [string, string[]] = ["GET /product/late", ["sold_out"]];
    expect(findMismatches(seen([...ALL, odd]), CALLS)).toEqual([
      "GET /product/[slug]: answered without being declared: sold_out",
    ]);
  });
});
