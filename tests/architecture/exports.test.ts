import { Visitor } from "oxc-parser";
import { describe } from "vitest";
import { isCode, law, lineAt, parse, sources, type Tree } from "./tree";

/** Whose reader asks for a default export. */
const WANTS_DEFAULT: [RegExp, string][] = [
  [/^app\//, "Next's special files"],
  [/^middleware\.ts$/, "Next"],
  [/^[^/]+\.config\.[a-z]+$/, "the tool that reads it"],
  [/^lib\/i18n-request\.ts$/, "next-intl"],
];

function barrels(tree: Tree): string[] {
  return tree.files.filter(isCode).flatMap((path) => {
    const { body } = parse(tree, path).program;
    const star = body.find((node) => node.type === "ExportAllDeclaration");
    if (star) return [`${path}:${lineAt(tree, path, star.start)}: export * hides where a name comes from`];
    const passes = body.filter((node) => node.type === "ExportNamedDeclaration" && node.source);
    const own = body.filter((node) => node.type !== "ImportDeclaration" && !passes.includes(node));
    const whole = passes.length > 0 && own.length === 0 && !path.startsWith("app/");
    return whole ? [`${path}: only passes on what others export; import it where it is`] : [];
  });
}

const defaults = (tree: Tree) =>
  sources(tree)
    .filter((path) => !WANTS_DEFAULT.some(([form]) => form.test(path)))
    .filter((path) => parse(tree, path).program.body.some((node) => node.type === "ExportDefaultDeclaration"))
    .map((path) => `${path}: exports are named`);

function directives(tree: Tree): string[] {
  return sources(tree).flatMap((path) => {
    const found: string[] = [];
    new Visitor({
      ExpressionStatement(node) {
        if ("directive" in node && node.directive === "use server")
          found.push(`${path}:${lineAt(tree, path, node.start)}: no server actions; /api/v1 is the one door`);
      },
    }).visit(parse(tree, path).program);
    return found;
  });
}

describe("exports", () => {
  law(
    "no barrels",
    barrels,
    { breaks: { "lib/a.ts": 'export * from "./b";' }, says: /lib\/a\.ts:1: export \*/ },
    {
      breaks: {
        "components/ui/all.ts": 'export { Button } from "./button";\nexport { Field } from "./field";',
      },
      says: /only passes on/,
      keeps: { "lib/a.ts": 'export { b } from "./b";\nexport const c = 1;' },
    },
  );
  law("exports are named", defaults, {
    breaks: { "lib/a.ts": "export default 1;" },
    says: /lib\/a\.ts: exports are named/,
    keeps: { "app/page.tsx": "export default function Page() {}" },
  });
  law("browser writes have one door: no server actions", directives, {
    breaks: { "lib/cart/commands.ts": '"use server";\nexport const a = 1;' },
    says: /no server actions/,
  });
});
