import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { findCoverageProblems, renderCoverage } from "@/scripts/write-product-coverage";

describe("docs/product.md", () => {
  it("has a test for every section", () => {
    expect(findCoverageProblems()).toEqual([]);
  });

  it("is mapped to tests in docs/product-coverage.md", () => {
    expect(readFileSync("docs/product-coverage.md", "utf8")).toBe(renderCoverage());
  });
});
