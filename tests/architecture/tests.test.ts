import { type Expression, Visitor } from "oxc-parser";
import { describe } from "vitest";
import { isCode, isTest, law, lineAt, parse, type Tree } from "./tree";

const RUNNERS = ["it", "test", "describe", "suite", "bench"];
const LEFT_OUT = ["only", "skip", "todo", "fixme", "skipIf", "runIf", "fails", "fail"];
const SHORT = ["xit", "xtest", "xdescribe", "fit", "fdescribe"];

/** `test.describe.only` → ["test", "describe", "only"]. */
function chainOf(node: Expression): string[] {
  if (node.type === "Identifier") return [node.name];
  if (node.type === "CallExpression") return chainOf(node.callee);
  if (node.type !== "MemberExpression" || node.property.type !== "Identifier") return [];
  return [...chainOf(node.object), node.property.name];
}

function leftOut(tree: Tree): string[] {
  return tree.files
    .filter((path) => isTest(path) && isCode(path))
    .flatMap((path) => {
      const found: string[] = [];
      const note = (what: string, at: number) => found.push(`${path}:${lineAt(tree, path, at)}: ${what}`);
      new Visitor({
        MemberExpression(node) {
          const [first = "", ...rest] = chainOf(node);
          const last = rest.at(-1) ?? "";
          if (RUNNERS.includes(first) && LEFT_OUT.includes(last))
            note(`${[first, ...rest].join(".")}: every test runs, and counts`, node.start);
        },
        CallExpression({ callee, start }) {
          if (callee.type === "Identifier" && SHORT.includes(callee.name))
            note(`${callee.name}: every test runs, and counts`, start);
        },
      }).visit(parse(tree, path).program);
      return found;
    });
}

describe("tests", () => {
  law("no test is left out or runs alone", leftOut, {
    breaks: {
      "tests/api/a.test.ts":
        'it.only("a", () => {});\ntest.describe.skip("b", () => {});\nxit("c");\nit.todo("d");',
    },
    says: /:1: it\.only(.|\n)*:4: it\.todo/,
    keeps: {
      "tests/api/a.test.ts": 'it("only", () => expect(a.only).toBe(1));\nit.each([1])("a", () => {});',
    },
  });
});
