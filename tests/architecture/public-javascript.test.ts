import { describe } from "vitest";
import { type Import, importsOf, packageOf, reach } from "./imports";
import { chainOf, isPublic, pagesOf } from "./routes";
import { check, isCode, lineAt, parse, type Tree } from "./tree";

const isClient = (tree: Tree, path: string) =>
  isCode(path) &&
  tree.files.includes(path) &&
  parse(tree, path).program.body.some((node) => "directive" in node && node.directive === "use client");

/** Whatever a browser gets with public pages: their "use client" files, and all that those import. */
function browserFiles(tree: Tree, follow?: (edge: Import) => boolean): string[] {
  const pages = pagesOf(tree).filter(isPublic);
  const shown = reach(tree, [...new Set(pages.flatMap(({ file }) => chainOf(tree, file)))]);
  const doors = [...shown].filter((path) => isClient(tree, path));
  return [...reach(tree, doors, follow)].filter((path) => isCode(path) && tree.files.includes(path));
}

function why({ specifier, target }: Import): string | undefined {
  const name = packageOf(specifier);
  if (name === "zod") return "zod is 13 kB that a public page does not need";
  if (name?.startsWith("@stripe/")) return "what pays belongs to the checkout alone";
  if (name === "next-intl" || name === "use-intl") return "public client parts get finished strings as props";
  if (/^messages\//.test(target)) return "the message catalogue stays on the server";
  if (/^lib\/.*\/contract/.test(target)) return "take types only from a contract: import type";
  return undefined;
}

function heavy(tree: Tree): string[] {
  return browserFiles(tree).flatMap((path) =>
    importsOf(tree, path).flatMap((edge) => {
      const reason = edge.typeOnly ? undefined : why(edge);
      return reason
        ? [`${path}:${edge.line} imports ${edge.specifier} into public JavaScript: ${reason}`]
        : [];
    }),
  );
}

/** These make theirs when they are first asked for: after a press, on public pages. */
const AT_FIRST_USE = ["lib/platform/format.ts", "lib/platform/money.ts"];

/** The first clock or number format of a browser takes 40 ms and more to make; what comes by `import()` may. */
const formats = (tree: Tree) =>
  browserFiles(tree, (edge) => !edge.dynamic)
    .filter((path) => !AT_FIRST_USE.includes(path))
    .flatMap((path) =>
      [...tree.read(path).matchAll(/new Intl\.\w+|\.toLocale(Date|Time)?String\(/g)].map(
        ({ 0: made, index }) =>
          `${path}:${lineAt(tree, path, index)} ${made} in public JavaScript: let the server write the sentence`,
      ),
    );

/** next-intl's provider hands every message below it to the browser. */
const providers = (tree: Tree) =>
  [
    ...reach(
      tree,
      pagesOf(tree)
        .filter(isPublic)
        .flatMap(({ file }) => chainOf(tree, file)),
    ),
  ]
    .filter(
      (path) =>
        isCode(path) && tree.files.includes(path) && /<NextIntlClientProvider\b/.test(tree.read(path)),
    )
    .map((path) => `${path}: NextIntlClientProvider above a public page sends its messages to the browser`);

const page = (imports: string, more: Record<string, string>) => ({
  "app/[locale]/(desktop)/search/page.tsx": `import { A } from "${imports}";\nexport default A;`,
  ...more,
});
const _part = (line: string) =>
  page("@/components/catalog/a", { "components/catalog/a.tsx": `"use client";\n${line}` });

describe("public JavaScript", () => {
  check("client parts of public pages carry neither zod nor messages, and types only from contracts", heavy);
  check("a public page's first scripts make no clocks and number formats", formats);
  check("no public page stands below next-intl's client provider", providers);
});
