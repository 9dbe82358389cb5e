import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { coverageGaps, renderCoverage } from "@/scripts/write-spec-coverage";

describe("the specification", () => {
  it("has a test for every line, or the issue that it waits for", () => {
    expect(coverageGaps()).toEqual([]);
  });

  it("is mapped in docs/spec-coverage.md as it is here", () => {
    expect(readFileSync("docs/spec-coverage.md", "utf8")).toBe(renderCoverage());
  });
});
