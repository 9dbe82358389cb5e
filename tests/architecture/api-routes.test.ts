import { pathToFileURL } from "node:url";
import { beforeAll, describe, it } from "vitest";
import { importsOf, reach } from "./imports";
import { check, expectNone, isCode, parse, ROOT, repository, type Tree } from "./repository";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];
const MAKERS = ["endpoint", "rawEndpoint"];
const ACCESS = ["public", "user", "merchant", "staff"];

const routesOf = (tree: Tree) => tree.files.filter((path) => /^app\/api\/v1\/.*route\.ts$/.test(path));

/** Names of constants in the file that are created by endpoint() or rawEndpoint(). */
function madeIn(tree: Tree, path: string): Set<string> {
  const made = new Set<string>();
  if (!importsOf(tree, path).some(({ target }) => target === "lib/platform/api/endpoint.ts")) return made;
  const constants = parse(tree, path).program.body.flatMap((node) => {
    const own = node.type === "ExportNamedDeclaration" ? node.declaration : node;
    return own?.type === "VariableDeclaration" ? own.declarations : [];
  });
  for (const { id, init } of constants) {
    if (id.type !== "Identifier") continue;
    const maker =
      init?.type === "CallExpression" && init.callee.type === "Identifier" ? init.callee.name : "";
    if (MAKERS.includes(maker) || (init?.type === "Identifier" && made.has(init.name))) made.add(id.name);
  }
  return made;
}

/** Exported methods that are not created by endpoint() or rawEndpoint() in this or another route file. */
function notMade(tree: Tree): string[] {
  return routesOf(tree).flatMap((path) => {
    const made = madeIn(tree, path);
    const { staticExports } = parse(tree, path).module;
    return staticExports
      .flatMap(({ entries }) => entries)
      .filter(({ exportName, isType }) => METHODS.includes(exportName.name ?? "") && !isType)
      .flatMap(({ exportName, localName, moduleRequest }) => {
        if (moduleRequest && /^@\/app\/api\/v1\/.*\/route$/.test(moduleRequest.value)) return [];
        if (moduleRequest)
          return [`${path}: ${exportName.name} re-exports from ${moduleRequest.value}`];
        if (made.has(localName.name ?? "")) return [];
        return [`${path}: ${exportName.name} is not created by endpoint() or rawEndpoint()`];
      });
  });
}

type Module = Record<string, unknown>;

/** Checks the declaration on each handler of a loaded route module. */
function undeclared(path: string, module: Module): string[] {
  const handlers = METHODS.filter((method) => method in module);
  if (handlers.length === 0) return [`${path}: has no method`];
  return handlers.flatMap((method) => {
    const { declaration } = module[method] as {
      declaration?: { access?: string; summary?: string; errors?: unknown };
    };
    if (!declaration) return [`${path}: ${method} has no declaration`];
    return [
      ...(ACCESS.includes(declaration.access ?? "") ? [] : [`${path}: ${method} declares no access`]),
      ...(declaration.summary ? [] : [`${path}: ${method} has no summary`]),
      ...(Array.isArray(declaration.errors) ? [] : [`${path}: ${method} names no errors`]),
    ];
  });
}

describe("API routes", () => {
  check("every method of app/api/v1 is created by endpoint() or rawEndpoint()", notMade);

  check("app/api holds only the calls and the sign-in of next-auth", (tree) =>
    tree.files
      .filter((path) => /^app\/api\/.*route\.ts$/.test(path))
      .filter((path) => !path.startsWith("app/api/v1/") && path !== "app/api/auth/[...nextauth]/route.ts")
      .map((path) => `${path}: calls belong in app/api/v1`),
  );

  check("calls do not import Next, so that tests can run them as plain functions", (tree) =>
    [...reach(tree, routesOf(tree))]
      .filter((path) => isCode(path) && tree.files.includes(path))
      .flatMap((path) => importsOf(tree, path))
      .filter(({ specifier, typeOnly }) => !typeOnly && /^next(-intl\/server$|\/|$)/.test(specifier))
      .map(({ from, line, specifier }) => `${from}:${line}: a call imports ${specifier}`),
  );

  const modules = new Map<string, Module>();
  beforeAll(async () => {
    for (const path of routesOf(repository))
      modules.set(path, await import(/* @vite-ignore */ pathToFileURL(`${ROOT}/${path}`).href));
  }, 60_000);

  it("every handler declares access, summary and errors", () => {
    expectNone(
      "declarations",
      [...modules].flatMap(([path, module]) => undeclared(path, module)),
    );
  });

  it("the check reports a handler without access, declaration or method", ({ expect }) => {
    const handler = Object.assign(() => {}, { declaration: { summary: "A", errors: [] } });
    expect(undeclared("a", { POST: handler })).toEqual(["a: POST declares no access"]);
    expect(undeclared("a", { POST: Number })).toEqual(["a: POST has no declaration"]);
    expect(undeclared("a", {})).toEqual(["a: has no method"]);
  });
});
