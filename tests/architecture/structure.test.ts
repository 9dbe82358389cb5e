import { Visitor } from "oxc-parser";
import { describe } from "vitest";
import { allImports, findCycles, type Import, importsOf, packageOf, reach } from "./imports";
import { NOUNS, nounOf } from "./nouns";
import { check, isCode, lineAt, parse, sources, type Tree } from "./repository";

// Biome checks imports between layers, file names, exports and process.env (biome.json). These checks cover the rest.

const PLATFORM_AREAS = [
  "api",
  "auth",
  "content",
  "crypto",
  "http",
  "i18n",
  "images",
  "jobs",
  "mail",
  "page-cache",
  "pages",
  "routing",
  "stripe",
];
const ROLE = /^(contract|rules|queries|commands|jobs|seo)(-[a-z0-9-]+)?\.ts$/;
const NEXT_FILE =
  /^(page|layout|template|loading|error|global-error|not-found|global-not-found|default)\.tsx$|^(route|sitemap|robots|manifest)\.ts$|^(opengraph-image|icon|apple-icon)\d*\.(tsx|png|svg)$|^favicon\.ico$|^globals\.css$/;
/** Schema files without a noun. */
const PLATFORM_TABLES = ["columns", "requests", "sandbox"];

const under = (tree: Tree, folder: string) => tree.files.filter((path) => path.startsWith(`${folder}/`));
const fileName = (path: string) => path.split("/").at(-1) ?? "";

function misplacedInLib(tree: Tree): string[] {
  return under(tree, "lib").flatMap((path) => {
    const [, folder = "", ...rest] = path.split("/");
    if (folder === "platform")
      return rest.length === 1 || PLATFORM_AREAS.includes(rest[0] ?? "")
        ? []
        : [`${path}: a folder of lib/platform is one of ${PLATFORM_AREAS.join(", ")}`];
    if (!NOUNS.includes(folder)) return [`${path}: a folder of lib is a noun or platform`];
    if (rest.length > 2) return [`${path}: topics are one level deep`];
    return ROLE.test(fileName(path))
      ? []
      : [`${path}: name the file contract, rules, queries, commands, jobs or seo`];
  });
}

function misplacedElsewhere(tree: Tree): string[] {
  const app = under(tree, "app").filter((path) => !NEXT_FILE.test(fileName(path)));
  const components = under(tree, "components").filter(
    (path) =>
      ![...NOUNS, "ui", "shell", "console"].includes(path.split("/")[1] ?? "") || path.split("/").length > 4,
  );
  const schema = [...under(tree, "db/schema"), ...under(tree, "db/factories")].filter(
    (path) => ![...NOUNS, ...PLATFORM_TABLES].includes(fileName(path).replace(".ts", "")),
  );
  return [
    ...app.map((path) => `${path}: app contains only special files of Next`),
    ...components.map((path) => `${path}: components/<noun>/[<topic>/]<file>, ui or shell`),
    ...schema.map((path) => `${path}: schema and factories have one file for each noun`),
  ];
}

/** Type imports count: a noun that uses another noun's types depends on it. */
function nounCycles(tree: Tree): string[] {
  const edges = allImports(tree).flatMap(({ from, target, line }) => {
    const [a, b] = [from, target].map((path) => (path.startsWith("lib/") ? nounOf(path) : undefined));
    return a && b && a !== b ? [{ a, b, at: `${from}:${line} → ${target}` }] : [];
  });
  const graph = new Map<string, Set<string>>();
  for (const { a, b } of edges) graph.set(a, (graph.get(a) ?? new Set()).add(b));
  return findCycles(graph).map((nouns) => {
    const inside = edges.filter(({ a, b }) => nouns.includes(a) && nouns.includes(b));
    return `${nouns.join(", ")} depend on each other: ${inside.map(({ at }) => at).join("; ")}`;
  });
}

const BROWSER_PACKAGES = ["zod", "yaml", "react", "react-dom", "next-intl", "use-intl", "schema-dts", "next"];
const BROWSER_ONLY = ["@stripe/stripe-js", "@stripe/react-stripe-js"];
const SERVER_PARTS = ["next/headers", "next/server", "next/cache", "next-intl/server", "react-dom/server"];

const runsInBrowser = (specifier: string) =>
  [...BROWSER_PACKAGES, ...BROWSER_ONLY].includes(packageOf(specifier)) && !SERVER_PARTS.includes(specifier);
const packagesOf = (tree: Tree, path: string): Import[] =>
  importsOf(tree, path).filter(({ inside, typeOnly }) => !inside && !typeOnly);

/** The first import that prevents a file, with all it reaches at run time, from running in a browser. */
function serverOnlyImport(tree: Tree, path: string): string | undefined {
  for (const file of reach(tree, [path])) {
    if (file === "lib/platform/env.ts" || file.startsWith("db/")) return file;
    if (!isCode(file) || !tree.files.includes(file)) continue;
    const found = packagesOf(tree, file).find(({ specifier }) => !runsInBrowser(specifier));
    if (found) return `${found.specifier} (in ${file})`;
  }
  return undefined;
}

const isPlatform = ({ target, typeOnly }: Import) => !typeOnly && target.startsWith("lib/platform/");

function serverCodeInComponents(tree: Tree): string[] {
  return allImports(
    tree,
    sources(tree).filter((path) => path.startsWith("components/")),
  )
    .filter(isPlatform)
    .flatMap(({ from, line, target }) => {
      const found = serverOnlyImport(tree, target);
      return found ? [`${from}:${line} imports ${target}, which needs ${found}`] : [];
    });
}

const GLOBALS = ["window", "document", "localStorage", "sessionStorage", "navigator", "location"];

function sideEffect(tree: Tree, file: string): string | undefined {
  let found: string | undefined;
  new Visitor({
    CallExpression({ callee }) {
      if (callee.type === "Identifier" && callee.name === "fetch") found = "fetch()";
    },
    MemberExpression({ object }) {
      if (object.type === "Identifier" && GLOBALS.includes(object.name)) found = object.name;
    },
  }).visit(parse(tree, file).program);
  return found;
}

/** Contracts, rules and seo may import only pure platform files. */
function impureRules(tree: Tree): string[] {
  const files = sources(tree).filter((path) => /^lib\/(?!platform\/).*\/(contract|rules|seo)\b/.test(path));
  return allImports(tree, files)
    .filter(isPlatform)
    .flatMap(({ from, line, target }) => {
      const reached = [...reach(tree, [target])].filter((file) => isCode(file) && tree.files.includes(file));
      const impure =
        serverOnlyImport(tree, target) ??
        reached.map((file) => sideEffect(tree, file)).find((found) => found);
      return impure ? [`${from}:${line} imports ${target}, which needs ${impure}`] : [];
    });
}

function serverActions(tree: Tree): string[] {
  return sources(tree).flatMap((path) =>
    [...tree.read(path).matchAll(/^\s*"use server";?$/gm)].map(
      ({ index }) => `${path}:${lineAt(tree, path, index)}: browser writes go through /api/v1`,
    ),
  );
}

describe("structure", () => {
  check("lib contains nouns with role files, and the platform", misplacedInLib);
  check("app, components and db contain only their kinds of files", misplacedElsewhere);
  check("nouns have no circular dependencies", nounCycles);
  check("components import only browser-safe platform files", serverCodeInComponents);
  check("contracts, rules and seo import only pure platform files", impureRules);
  check("there are no server actions", serverActions);
});
