import { Visitor } from "oxc-parser";
import { describe } from "vitest";
import { isCode, law, lineAt, parse, type Tree } from "./tree";

const FILE_LINES = 300;
const FUNCTION_LINES = 50;
/** Written by a program, or a table and no code. */
const NOT_WRITTEN = [/^db\/(migrations|seed)\//, /^next-env\.d\.ts$/, /^public\//, /^lib\/api-calls\.ts$/];

function longFiles(tree: Tree): string[] {
  return tree.files
    .filter((path) => (isCode(path) || path.endsWith(".css")) && !NOT_WRITTEN.some((form) => form.test(path)))
    .map((path) => ({ path, lines: tree.read(path).trimEnd().split("\n").length }))
    .filter(({ lines }) => lines > FILE_LINES)
    .map(({ path, lines }) => `${path}: ${lines} lines, ${FILE_LINES} at most: make two of it`);
}

function longFunctions(tree: Tree): string[] {
  return tree.files
    .filter((path) => path.startsWith("lib/") && isCode(path))
    .flatMap((path) => {
      const found: string[] = [];
      const measure = ({ start, end }: { start: number; end: number }) => {
        const first = lineAt(tree, path, start);
        const lines = lineAt(tree, path, end) - first + 1;
        if (lines > FUNCTION_LINES)
          found.push(`${path}:${first}: a function of ${lines} lines, ${FUNCTION_LINES} at most`);
      };
      new Visitor({
        FunctionDeclaration: measure,
        FunctionExpression: measure,
        ArrowFunctionExpression: measure,
      }).visit(parse(tree, path).program);
      return found;
    });
}

describe("sizes", () => {
  law(`no file is longer than ${FILE_LINES} lines`, longFiles, {
    breaks: { "components/cart/row.tsx": "x\n".repeat(301) },
    says: /row\.tsx: 301 lines/,
    keeps: { "components/cart/row.tsx": "x\n".repeat(300) },
  });
  law(`no function of lib is longer than ${FUNCTION_LINES} lines`, longFunctions, {
    breaks: { "lib/cart/rules.ts": `export const a = () => {\n${"a();\n".repeat(50)}};` },
    says: /rules\.ts:1: a function of 52 lines/,
    keeps: { "lib/cart/rules.ts": `export function a() {\n${"a();\n".repeat(48)}}` },
  });
});
