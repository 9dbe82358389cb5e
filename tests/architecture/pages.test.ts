import { Visitor } from "oxc-parser";
import { describe } from "vitest";
import { MOBILE_ONLY, ROUTES } from "@/lib/platform/routing/routes";
import { reach } from "./imports";
import { chainOf, foldersAbove, isPublic, pagesOf } from "./routes";
import { check, isCode, lineAt, parse, type Tree } from "./repository";

/** `{id}` and `{slug}` in the route table are `[id]` and `[slug]` in app/. */
const asFolder = (path: string) => path.replace(/\{(\w+)\}/g, "[$1]");
const CATCH_ALL = /\/\[\.\.\.\w+\]$/;

function differencesFromRoutes(tree: Tree): string[] {
  const pages = pagesOf(tree);
  const known = [...ROUTES.map(({ path }) => asFolder(path)), ...MOBILE_ONLY];
  const unknown = pages.filter(({ path }) => !known.includes(path) && !CATCH_ALL.test(path));
  const missing = known.filter((path) => !pages.some((page) => page.path === path));
  return [
    ...unknown.map(({ file }) => `${file}: not in ROUTES of lib/platform/routing/routes.ts`),
    ...missing.map((path) => `lib/platform/routing/routes.ts: ${path} has no page in app/[locale]/[surface]`),
  ];
}

const publicPages = (tree: Tree) => pagesOf(tree).filter(isPublic);

/** Suspense boundaries and loading files that would send the status 200 before a page can respond 404. */
function earlyAnswers(tree: Tree): string[] {
  const pages = publicPages(tree);
  const loading = pages.flatMap(({ file }) =>
    foldersAbove(file).flatMap((folder) =>
      tree.files
        .filter((path) => path.startsWith(`${folder}/loading.`))
        .map((path) => `${path}: above ${file}, whose 404 would be sent as 200`),
    ),
  );
  const around = pages.flatMap(({ file }) => {
    const chain = chainOf(tree, file).filter((path) => /\/(layout|template)\.tsx$/.test(path));
    return [...reach(tree, chain)]
      .filter((path) => isCode(path) && tree.files.includes(path))
      .flatMap((path) =>
        boundaries(tree, path)
          .filter(({ text }) => /\bchildren\b/.test(text))
          .map(({ line }) => `${path}:${line}: Suspense around children, above ${file}`),
      );
  });
  const within = pages.flatMap(({ file }) =>
    boundaries(tree, file).map(
      ({ line }) => `${file}:${line}: Suspense in a public page, which may still respond 404`,
    ),
  );
  return [...loading, ...around, ...within];
}

function boundaries(tree: Tree, path: string) {
  const found: { line: number; text: string }[] = [];
  new Visitor({
    JSXElement({ openingElement: { name }, start, end }) {
      const called =
        (name.type === "JSXIdentifier" && name.name) ||
        (name.type === "JSXMemberExpression" && name.property.name);
      if (called === "Suspense")
        found.push({ line: lineAt(tree, path, start), text: tree.read(path).slice(start, end) });
    },
  }).visit(parse(tree, path).program);
  return found;
}

/** Only pages and layouts respond 404, because they know the files above them; lib/platform/pages/page.ts is their helper. */
const hiddenNotFound = (tree: Tree) =>
  tree.files
    .filter(
      (path) => isCode(path) && /^(components|lib)\//.test(path) && path !== "lib/platform/pages/page.ts",
    )
    .filter((path) =>
      parse(tree, path).module.staticImports.some(
        ({ moduleRequest, entries }) =>
          moduleRequest.value === "next/navigation" &&
          entries.some(
            ({ importName }) => importName.name === "notFound" || importName.kind === "NamespaceObject",
          ),
      ),
    )
    .map((path) => `${path}: notFound() belongs in page.tsx or layout.tsx`);

describe("pages", () => {
  check("the route table lists exactly the pages", differencesFromRoutes);
  check("nothing sends 200 before notFound() of a public page", earlyAnswers);
  check("only pages and layouts call notFound()", hiddenNotFound);
});
