import { Visitor } from "oxc-parser";
import { describe } from "vitest";
import { MOBILE_ONLY, ROUTES } from "@/lib/platform/routing/routes";
import { reachableFiles } from "./imports";
import { check, isCode, isFile, lineNumber, parse, type Repository } from "./repository";
import { isPublic, listPageFiles, listPages, parentFolders } from "./routes";

/** `{id}` and `{slug}` in the route table are `[id]` and `[slug]` in app/. */
const toFolderPath = (path: string) => path.replace(/\{(\w+)\}/g, "[$1]");
const CATCH_ALL = /\/\[\.\.\.\w+\]$/;

function differencesFromRoutes(repo: Repository): string[] {
  const pages = listPages(repo);
  const expected = [...ROUTES.map(({ path }) => toFolderPath(path)), ...MOBILE_ONLY];
  const unknown = pages.filter(({ path }) => !expected.includes(path) && !CATCH_ALL.test(path));
  const missing = expected.filter((path) => !pages.some((page) => page.path === path));
  return [
    ...unknown.map(({ file }) => `${file}: not in ROUTES of lib/platform/routing/routes.ts`),
    ...missing.map((path) => `lib/platform/routing/routes.ts: ${path} has no page in app/[locale]/[surface]`),
  ];
}

const publicPages = (repo: Repository) => listPages(repo).filter(isPublic);

/** Suspense boundaries and loading files that would send the status 200 before a page can respond 404. */
function earlyResponses(repo: Repository): string[] {
  const pages = publicPages(repo);
  const loading = pages.flatMap(({ file }) =>
    parentFolders(file).flatMap((folder) =>
      repo.files
        .filter((path) => path.startsWith(`${folder}/loading.`))
        .map((path) => `${path}: above ${file}, whose 404 would be sent as 200`),
    ),
  );
  const aroundChildren = pages.flatMap(({ file }) => {
    const wrappers = listPageFiles(repo, file).filter((path) => /\/(layout|template)\.tsx$/.test(path));
    return [...reachableFiles(repo, wrappers)]
      .filter((path) => isCode(path) && isFile(repo, path))
      .flatMap((path) =>
        findSuspense(repo, path)
          .filter(({ text }) => /\bchildren\b/.test(text))
          .map(({ line }) => `${path}:${line}: Suspense around children, above ${file}`),
      );
  });
  const inPages = pages.flatMap(({ file }) =>
    findSuspense(repo, file).map(
      ({ line }) => `${file}:${line}: Suspense in a public page, which may still respond 404`,
    ),
  );
  return [...loading, ...aroundChildren, ...inPages];
}

function findSuspense(repo: Repository, path: string) {
  const found: { line: number; text: string }[] = [];
  if (!repo.read(path).includes("Suspense")) return found;
  new Visitor({
    JSXElement({ openingElement: { name }, start, end }) {
      const elementName =
        (name.type === "JSXIdentifier" && name.name) ||
        (name.type === "JSXMemberExpression" && name.property.name);
      if (elementName === "Suspense")
        found.push({ line: lineNumber(repo, path, start), text: repo.read(path).slice(start, end) });
    },
  }).visit(parse(repo, path).program);
  return found;
}

/** Only pages and layouts respond 404, because they know the files above them; lib/platform/pages/page.ts is their helper. */
const misplacedNotFound = (repo: Repository) =>
  repo.files
    .filter(
      (path) =>
        isCode(path) &&
        /^(components|lib)\//.test(path) &&
        !/^lib\/platform\/pages\/(page|console)\.ts$/.test(path),
    )
    .filter((path) =>
      parse(repo, path).module.staticImports.some(
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
  check("nothing sends 200 before notFound() of a public page", earlyResponses);
  check("only pages and layouts call notFound()", misplacedNotFound);
});
