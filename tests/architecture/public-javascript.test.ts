import { describe } from "vitest";
import { type Import, importsOf, packageOf, reach } from "./imports";
import { chainOf, isPublic, pagesOf } from "./routes";
import { check, isCode, lineAt, parse, type Tree } from "./repository";

const isClient = (tree: Tree, path: string) =>
  isCode(path) &&
  tree.files.includes(path) &&
  parse(tree, path).program.body.some((node) => "directive" in node && node.directive === "use client");

/** The files that public pages send to the browser: their "use client" files and all files that those reach. */
function browserFiles(tree: Tree, follow?: (edge: Import) => boolean): string[] {
  const pages = pagesOf(tree).filter(isPublic);
  const shown = reach(tree, [...new Set(pages.flatMap(({ file }) => chainOf(tree, file)))]);
  const doors = [...shown].filter((path) => isClient(tree, path));
  return [...reach(tree, doors, follow)].filter((path) => isCode(path) && tree.files.includes(path));
}

function why({ specifier, target }: Import): string | undefined {
  const name = packageOf(specifier);
  if (name === "zod") return "public pages do not need the 13 kB of zod";
  if (name?.startsWith("@stripe/")) return "payment code belongs in the checkout";
  if (name === "next-intl" || name === "use-intl") return "public client components get texts as props";
  if (/^messages\//.test(target)) return "messages stay on the server";
  if (/^lib\/.*\/contract/.test(target)) return "import only types from a contract";
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

/** These create their formats on first use, on public pages after an interaction. */
const AT_FIRST_USE = ["lib/platform/format.ts", "lib/platform/money.ts"];

/** The first Intl format of a browser takes 40 ms or more. Files loaded by `import()` may create one. */
const formats = (tree: Tree) =>
  browserFiles(tree, (edge) => !edge.dynamic)
    .filter((path) => !AT_FIRST_USE.includes(path))
    .flatMap((path) =>
      [...tree.read(path).matchAll(/new Intl\.\w+|\.toLocale(Date|Time)?String\(/g)].map(
        ({ 0: made, index }) =>
          `${path}:${lineAt(tree, path, index)} ${made} in public JavaScript: format on the server`,
      ),
    );

/** next-intl's provider sends its messages to the browser. */
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

describe("public JavaScript", () => {
  check("client components of public pages import neither zod nor messages, and only types from contracts", heavy);
  check("initial scripts of public pages create no Intl formats", formats);
  check("no public page is below next-intl's client provider", providers);
});
