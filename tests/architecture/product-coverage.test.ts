import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { OPERATIONS } from "@/lib/platform/api/operations";
import { ROUTES } from "@/lib/platform/routing/routes";
import { findCoverageProblems } from "./product-coverage";

const product = readFileSync("docs/product.md", "utf8");
const section = (number: number) =>
  product.split(/^## /m).find((part) => part.startsWith(`${number}. `)) ?? "";

/** The paths of a section in backticks: `POST /cart/add` is /cart/add, `/search?q=` is /search. */
const findPaths = (text: string) =>
  [...text.matchAll(/`(?:(?:GET|POST|PUT) )?(\/[^`?\s]*)[^`]*`/g)].map(([, path]) => path);

describe("docs/product.md", () => {
  it("has a test for every section", () => {
    expect(findCoverageProblems()).toEqual([]);
  });

  it("names every page", () => {
    const paths = findPaths(section(2));
    expect(ROUTES.map(({ path }) => path).filter((path) => !paths.includes(path))).toEqual([]);
  });

  it("names every call of the API document", () => {
    const paths = OPERATIONS.map((operation) => operation.split(" "))
      .filter(([, , access = ""]) => ["public", "user"].includes(access))
      .map(([, path = ""]) => path.replace(/\[(\w+)\]/g, "{$1}"));
    expect(paths.length).toBeGreaterThan(0);
    const documented = findPaths(section(7));
    expect(paths.filter((path) => !documented.includes(path))).toEqual([]);
  });
});
