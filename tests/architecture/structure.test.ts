import { Visitor } from "oxc-parser";
import { describe, expect, it } from "vitest";
import {
  findCycles,
  getImports,
  type Import,
  listImports,
  packageName,
  reachableFiles,
  shortestLoop,
} from "./imports";
import { findNoun, NOUNS } from "./nouns";
import { check, isCode, isFile, lineNumber, parse, type Repository, sources } from "./repository";

// Biome checks imports between layers, file names, exports and process.env (biome.json). These checks cover the rest.

const PLATFORM_AREAS = [
  "api",
  "auth",
  "console",
  "content",
  "crypto",
  "http",
  "i18n",
  "images",
  "imports",
  "jobs",
  "mail",
  "page-cache",
  "pages",
  "routing",
  "stripe",
  "telemetry",
];
/** Names that say nothing about what a file does: an editor's "go to file" does not find an operation by them. */
const VAGUE = /^(index|types)$|^(commands|queries)\b|\b(common|helpers|misc|shared|utils)\b/;
const NEXT_FILE =
  /^(page|layout|template|loading|error|global-error|not-found|global-not-found|default)\.tsx$|^(route|sitemap|robots|manifest)\.ts$|^(opengraph-image|icon|apple-icon)\d*\.(tsx|png|svg)$|^favicon\.ico$|^globals\.css$/;
/** Folders of components without a noun. */
const KITS = ["ui", "console", "shell"];
/** Schema files without a noun. */
const PLATFORM_TABLES = ["columns", "requests", "sandbox"];

const filesIn = (repo: Repository, folder: string) =>
  repo.files.filter((path) => path.startsWith(`${folder}/`));
const fileName = (path: string) => path.split("/").at(-1) ?? "";

function misplacedInLib(repo: Repository): string[] {
  return filesIn(repo, "lib").flatMap((path) => {
    const [, folder = "", ...rest] = path.split("/");
    if (folder === "platform")
      return rest.length === 1 || PLATFORM_AREAS.includes(rest[0] ?? "")
        ? []
        : [`${path}: a folder of lib/platform is one of ${PLATFORM_AREAS.join(", ")}`];
    if (!NOUNS.includes(folder)) return [`${path}: a folder of lib is a noun or platform`];
    if (rest.length > 2) return [`${path}: topics are one level deep`];
    return VAGUE.test(fileName(path).replace(/\.ts$/, ""))
      ? [`${path}: name the file for the operation it holds, or contract, rules, jobs or seo`]
      : [];
  });
}

function misplacedElsewhere(repo: Repository): string[] {
  const app = filesIn(repo, "app").filter((path) => !NEXT_FILE.test(fileName(path)));
  const components = filesIn(repo, "components").filter(
    (path) => ![...NOUNS, ...KITS].includes(path.split("/")[1] ?? "") || path.split("/").length > 4,
  );
  const schema = [...filesIn(repo, "db/schema"), ...filesIn(repo, "db/factories")].filter(
    (path) => ![...NOUNS, ...PLATFORM_TABLES].includes(fileName(path).replace(".ts", "")),
  );
  return [
    ...app.map((path) => `${path}: app contains only special files of Next`),
    ...components.map((path) => `${path}: components/<noun>/[<topic>/]<file>, ui or shell`),
    ...schema.map((path) => `${path}: schema and factories have one file for each noun`),
  ];
}

/** Shows one import for each step of the shortest way around. Type imports count: who uses a type depends on it. */
function folderCycles(repo: Repository, folderOf: (path: string) => string | undefined): string[] {
  const files = repo.files.filter((path) => isCode(path) && folderOf(path));
  const edges = listImports(repo, files).flatMap(({ from, target, line }) => {
    const [a, b] = [folderOf(from), folderOf(target)];
    return a && b && a !== b ? [{ a, b, at: `${from}:${line} → ${target}` }] : [];
  });
  const graph = new Map<string, Set<string>>();
  for (const { a, b } of edges) graph.set(a, (graph.get(a) ?? new Set()).add(b));
  return findCycles(graph).map((folders) => {
    const loops = folders.map((folder) => shortestLoop(graph, folder));
    const [loop = []] = loops.sort((a, b) => a.length - b.length);
    const steps = loop.map((folder, i) => {
      const next = loop[(i + 1) % loop.length];
      const imports = edges.filter(({ a, b }) => a === folder && b === next);
      return `${imports[0]?.at} (${imports.length} in all)`;
    });
    return `${loop.join(", ")} depend on each other: ${steps.join("; ")}`;
  });
}

const nounCycles = (repo: Repository) =>
  folderCycles(repo, (path) => (path.startsWith("lib/") ? findNoun(path) : undefined));

/** `components/<noun>/console` counts as the noun. */
const componentFolder = (path: string) => /^components\/([^/]+)\//.exec(path)?.[1];
const COMPONENT_ORDER =
  "keep the order of docs/architecture.md: move what both use to the lower folder, or let the page of app put the part in as a prop";

const componentCycles = (repo: Repository) =>
  folderCycles(repo, componentFolder).map((cycle) => `${cycle}: ${COMPONENT_ORDER}`);

const nounsInKits = (repo: Repository) =>
  listImports(
    repo,
    sources(repo).filter((path) => KITS.includes(componentFolder(path) ?? "")),
  )
    .filter(({ target }) => NOUNS.includes(componentFolder(target) ?? ""))
    .map(({ from, line, target }) => `${from}:${line} imports ${target}: ${COMPONENT_ORDER}`);

const BROWSER_PACKAGES = ["zod", "yaml", "react", "react-dom", "next-intl", "use-intl", "schema-dts", "next"];
const BROWSER_ONLY = ["@stripe/stripe-js", "@stripe/react-stripe-js"];
const SERVER_PARTS = ["next/headers", "next/server", "next/cache", "next-intl/server", "react-dom/server"];

const runsInBrowser = (specifier: string) =>
  [...BROWSER_PACKAGES, ...BROWSER_ONLY].includes(packageName(specifier)) &&
  !SERVER_PARTS.includes(specifier);
const packageImports = (repo: Repository, path: string): Import[] =>
  getImports(repo, path).filter(({ isInternal, typeOnly }) => !isInternal && !typeOnly);

/** The first import that prevents a file, with all it reaches at run time, from running in a browser. */
function serverOnlyImport(repo: Repository, path: string): string | undefined {
  for (const file of reachableFiles(repo, [path])) {
    if (file === "lib/platform/env.ts" || file.startsWith("db/")) return file;
    if (!isCode(file) || !isFile(repo, file)) continue;
    const result = packageImports(repo, file).find(({ specifier }) => !runsInBrowser(specifier));
    if (result) return `${result.specifier} (in ${file})`;
  }
  return undefined;
}

const isPlatform = ({ target, typeOnly }: Import) => !typeOnly && target.startsWith("lib/platform/");

function serverCodeInComponents(repo: Repository): string[] {
  return listImports(
    repo,
    sources(repo).filter((path) => path.startsWith("components/")),
  )
    .filter(isPlatform)
    .flatMap(({ from, line, target }) => {
      const result = serverOnlyImport(repo, target);
      return result ? [`${from}:${line} imports ${target}, which needs ${result}`] : [];
    });
}

const GLOBALS = ["window", "document", "localStorage", "sessionStorage", "navigator", "location"];

function sideEffect(repo: Repository, file: string): string | undefined {
  let result: string | undefined;
  new Visitor({
    CallExpression({ callee }) {
      if (callee.type === "Identifier" && callee.name === "fetch") result = "fetch()";
    },
    MemberExpression({ object }) {
      if (object.type === "Identifier" && GLOBALS.includes(object.name)) result = object.name;
    },
  }).visit(parse(repo, file).program);
  return result;
}

const isOfNoun = (path: string) => /^lib\/(?!platform\/)/.test(path);
const isPure = (path: string) => isOfNoun(path) && /\/(contract|rules|seo)(-[a-z0-9-]+)?\.ts$/.test(path);

/** Biome checks the same by the specifier, and does not see that `./cancel-order` is an operation. */
function operationsInRules(repo: Repository): string[] {
  return listImports(repo, sources(repo).filter(isPure))
    .filter(({ target }) => isOfNoun(target) && !/\/(contract|rules)(-[a-z0-9-]+)?\.ts$/.test(target))
    .map(({ from, line, target }) => `${from}:${line} imports ${target}, which is no contract and no rules`);
}

/** Contracts, rules and seo may import only pure platform files. */
function impureRules(repo: Repository): string[] {
  return listImports(repo, sources(repo).filter(isPure))
    .filter(isPlatform)
    .flatMap(({ from, line, target }) => {
      const reached = [...reachableFiles(repo, [target])].filter(
        (file) => isCode(file) && isFile(repo, file),
      );
      const impure =
        serverOnlyImport(repo, target) ??
        reached.map((file) => sideEffect(repo, file)).find((result) => result);
      return impure ? [`${from}:${line} imports ${target}, which needs ${impure}`] : [];
    });
}

/** They block for tenths of a second, and nothing else in the shop may wait for that. */
const DRAWING_PACKAGES = ["sharp", "satori", "fontkit", "pdfkit"];

/** What the server, the worker and the commands load, except the processes that draw (lib/platform/drawing-process.ts). */
function drawingOutsideItsProcess(repo: Repository): string[] {
  const entries = sources(repo).filter(
    (path) => /^(app|scripts)\//.test(path) && !path.startsWith("scripts/drawing/"),
  );
  return [...reachableFiles(repo, entries)]
    .filter((file) => isCode(file) && isFile(repo, file))
    .flatMap((file) => packageImports(repo, file))
    .filter(({ specifier }) => DRAWING_PACKAGES.includes(packageName(specifier)))
    .map(({ from, line, specifier }) => `${from}:${line} loads ${specifier}: draw in a process of its own`);
}

/** The lab tries the shop and measures it. The shop, its commands and its tests work without it. */
function importsOfLab(repo: Repository): string[] {
  return listImports(
    repo,
    repo.files.filter((path) => isCode(path) && !path.startsWith("lab/") && repo.read(path).includes("lab/")),
  )
    .filter(({ target }) => target.startsWith("lab/"))
    .map(({ from, line, target }) => `${from}:${line} imports ${target}`);
}

function serverActions(repo: Repository): string[] {
  return sources(repo).flatMap((path) =>
    [...repo.read(path).matchAll(/^\s*"use server";?$/gm)].map(
      ({ index }) => `${path}:${lineNumber(repo, path, index)}: browser writes go through /api/v1`,
    ),
  );
}

/** A browser reads `1,000` in such a field by its own language, or hides it from the page. */
function numberFields(repo: Repository): string[] {
  const screens = sources(repo).filter((path) => path.endsWith(".tsx"));
  return screens.flatMap((path) =>
    [...repo.read(path).matchAll(/\btype(?:=|: )"number"/g)].map(
      ({ index }) => `${path}:${lineNumber(repo, path, index)}: use NumberInput or TYPED_NUMBER`,
    ),
  );
}

describe("structure", () => {
  check("lib contains nouns with files named for what they do, and the platform", misplacedInLib);
  check("app, components and db contain only their kinds of files", misplacedElsewhere);
  check("nouns have no circular dependencies", nounCycles);
  check("folders of components have no circular dependencies", componentCycles);
  check("the kits of components import no noun", nounsInKits);

  it("folders of components that import each other, on a detour too, are found with one import each way", () => {
    const files: Record<string, string> = {
      "components/cart/planted-line.ts": 'import "@/components/catalog/planted-price";',
      "components/catalog/planted-price.ts":
        'export type Card = import("@/components/reviews/planted-card").Card;',
      "components/reviews/planted-card.ts":
        'export const load = () => import("@/components/cart/planted-line");',
      "components/cart/console/planted-list.ts": 'import "@/components/cart/planted-line";',
    };
    const repo: Repository = {
      files: Object.keys(files),
      read: (path) => files[path] ?? "",
      has: (path) => path in files,
    };
    const [cycle, ...others] = componentCycles(repo);
    expect(others).toEqual([]);
    for (const path of Object.keys(files).slice(0, 3)) expect(cycle).toContain(`${path}:1 → `);
    expect(cycle).toContain("move what both use to the lower folder");
  });

  check("components import only browser-safe platform files", serverCodeInComponents);
  check("contracts, rules and seo import no operation", operationsInRules);
  check("contracts, rules and seo import only pure platform files", impureRules);
  check("only the lab imports the lab", importsOfLab);
  check("there are no server actions", serverActions);
  check("pictures and documents are rendered in their own processes", drawingOutsideItsProcess);
  check("fields for numbers are text fields", numberFields);
});
