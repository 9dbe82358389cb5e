import { describe, expect, it } from "vitest";
import { type DeclaredCall, findMismatches, type Outcomes } from "../setup/outcomes";

const CALLS: DeclaredCall[] = [
  { method: "POST", path: "/cart/add", own: ["sold_out"], all: ["sold_out", "session_required"] },
  { method: "GET", path: "/product/[slug]", own: ["product_unknown"], all: ["product_unknown"] },
  { method: "GET", path: "/[...rest]", own: ["call_unknown"], all: ["call_unknown"] },
];
const recorded = (entries: [string, string[]][]): Outcomes =>
  new Map(entries.map(([name, outcomes]) => [name, new Set(outcomes)]));
const ALL: [string, string[]][] = [
  ["POST /cart/add", ["200", "sold_out", "session_required"]],
  ["GET /product/ember", ["200"]],
  ["GET /product/none", ["product_unknown"]],
  ["GET /nothing/here", ["call_unknown"]],
];

describe("recorded and declared outcomes", () => {
  it("match when each declared outcome was recorded and no other", () => {
    expect(findMismatches(recorded(ALL), CALLS)).toEqual([]);
  });

  it("do not match when a declared error or a success was not recorded", () => {
    expect(findMismatches(recorded(ALL.slice(1)), CALLS)).toEqual([
      "POST /cart/add: no test reaches 200, sold_out",
    ]);
    expect(findMismatches(recorded(ALL.slice(0, 3)), CALLS)).toEqual([
      "GET /[...rest]: no test reaches call_unknown",
    ]);
    expect(findMismatches(recorded([...ALL.slice(0, 2), ALL[3]!]), CALLS)).toEqual([
      "GET /product/[slug]: no test reaches product_unknown",
    ]);
  });

  it("do not match when an undeclared error was recorded, also when files are left out", () => {
    const undeclared: [string, string[]] = ["GET /product/late", ["sold_out"]];
    const flaws = ["GET /product/[slug]: answered without being declared: sold_out"];
    expect(findMismatches(recorded([...ALL, undeclared]), CALLS)).toEqual(flaws);
    expect(findMismatches(recorded([undeclared]), CALLS, { afterAllFiles: false })).toEqual(flaws);
  });
});
