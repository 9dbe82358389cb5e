import { Visitor } from "oxc-parser";
import { describe } from "vitest";
import { toDesktopPath, toMobilePath } from "@/lib/platform/routing/paths";
import { ROUTES } from "@/lib/platform/routing/routes";
import { reach } from "./imports";
import { chainOf, foldersAbove, isPublic, type Page, pagesOf } from "./routes";
import { check, isCode, lineAt, parse, type Tree } from "./tree";

/** Addresses that exist on one surface only, and why. */
const WITHOUT_TWIN: Record<string, string> = {};
const PAGE_LINES = 25;

const desktop = (page: Page) => page.surface === "desktop";
const mobile = (page: Page) => page.surface === "mobile";

function withoutTwin(tree: Tree): string[] {
  const pages = pagesOf(tree);
  const has = (surface: (page: Page) => boolean, address: string) =>
    pages.some((page) => surface(page) && page.address === address);
  return pages.flatMap((page) => {
    if (page.surface === "console" || page.address in WITHOUT_TWIN) return [];
    const twin = desktop(page) ? toMobilePath(page.address) : toDesktopPath(page.address);
    if (has(desktop(page) ? mobile : desktop, twin)) return [];
    return [`${page.file}: ${page.address} has no twin ${twin}`];
  });
}

/** `{id}` and `{slug}` in the route table are `[id]` and `[slug]` in app/. */
const asFolder = (path: string) => path.replace(/\{(\w+)\}/g, "[$1]");
const CATCH_ALL = /\/\[\.\.\.\w+\]$/;

function againstRoutes(tree: Tree): string[] {
  const pages = pagesOf(tree).filter(desktop);
  const known = ROUTES.map(({ path }) => asFolder(path));
  const strange = pages.filter(({ address }) => !known.includes(address) && !CATCH_ALL.test(address));
  const missing = known.filter((address) => !pages.some((page) => page.address === address));
  return [
    ...strange.map(
      ({ file, address }) => `${file}: ${address} is not in ROUTES of lib/platform/routing/routes.ts`,
    ),
    ...missing.map(
      (address) =>
        `lib/platform/routing/routes.ts names ${address}, which has no page in app/[locale]/(desktop)`,
    ),
  ];
}

const long = (tree: Tree) =>
  tree.files
    .filter((path) => path.startsWith("app/") && path.endsWith("/page.tsx"))
    .map((path) => ({ path, lines: tree.read(path).trimEnd().split("\n").length }))
    .filter(({ lines }) => lines >= PAGE_LINES)
    .map(
      ({ path, lines }) =>
        `${path}: ${lines} lines; a page reads params, calls one query, returns one screen`,
    );

const publicPages = (tree: Tree) => pagesOf(tree).filter((page) => isPublic(page, toDesktopPath));

/** Boundaries that would let the status 200 out before a page can say 404. */
function earlyAnswers(tree: Tree): string[] {
  const pages = publicPages(tree);
  const loading = pages.flatMap(({ file, address }) =>
    foldersAbove(file).flatMap((folder) =>
      tree.files
        .filter((path) => path.startsWith(`${folder}/loading.`))
        .map((path) => `${path}: stands above ${address}, whose 404 would answer 200`),
    ),
  );
  const around = pages.flatMap(({ file, address }) => {
    const chain = chainOf(tree, file).filter((path) => /\/(layout|template)\.tsx$/.test(path));
    return [...reach(tree, chain)]
      .filter((path) => isCode(path) && tree.files.includes(path))
      .flatMap((path) =>
        boundaries(tree, path)
          .filter(({ text }) => /\bchildren\b/.test(text))
          .map(({ line }) => `${path}:${line}: Suspense around what stands below, so above ${address}`),
      );
  });
  const within = pages.flatMap(({ file }) =>
    boundaries(tree, file).map(
      ({ line }) => `${file}:${line}: Suspense in a public page, which may still say 404`,
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

/** Only a page or layout can see what stands above it, so only they say 404; lib/platform/pages/page.ts is what they begin with. */
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

const LOCALE = "app/[locale]";
const _publicPage = { [`${LOCALE}/(desktop)/product/[slug]/page.tsx`]: "export default function Page() {}" };

describe("pages", () => {
  check("every desktop page has its mobile twin, and the other way round", withoutTwin);
  check("the route table names exactly the pages", againstRoutes);
  check(`every page.tsx is under ${PAGE_LINES} lines`, long);
  check("nothing above a public page's notFound() answers 200 first", earlyAnswers);
  check("notFound() is called by pages and layouts only", hiddenNotFound);
});
