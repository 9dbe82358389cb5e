import { pathToFileURL } from "node:url";
import { beforeAll, describe, it } from "vitest";
import { importsOf, reach } from "./imports";
import { check, expectNone, isCode, parse, ROOT, repository, type Tree } from "./tree";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];
const MAKERS = ["endpoint", "rawEndpoint"];
const ACCESS = ["public", "user", "merchant", "staff"];

const routesOf = (tree: Tree) => tree.files.filter((path) => /^app\/api\/v1\/.*route\.ts$/.test(path));

/** Names of the file's own constants that expectNone what endpoint() or rawEndpoint() made. */
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

/** Every method that a route file exports was made by endpoint() in that file, or by that of another route file. */
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
          return [`${path}: ${exportName.name} passes on what ${moduleRequest.value} exports`];
        if (made.has(localName.name ?? "")) return [];
        return [`${path}: ${exportName.name} is not made by endpoint() or rawEndpoint() of lib/endpoint`];
      });
  });
}

type Module = Record<string, unknown>;

/** What the loaded module says of itself: the handler that Next will call carries its declaration. */
function undeclared(path: string, module: Module): string[] {
  const handlers = METHODS.filter((method) => method in module);
  if (handlers.length === 0) return [`${path}: answers no method`];
  return handlers.flatMap((method) => {
    const { declaration } = module[method] as {
      declaration?: { access?: string; summary?: string; errors?: unknown };
    };
    if (!declaration) return [`${path}: ${method} carries no declaration`];
    return [
      ...(ACCESS.includes(declaration.access ?? "") ? [] : [`${path}: ${method} declares no access`]),
      ...(declaration.summary ? [] : [`${path}: ${method} has no summary`]),
      ...(Array.isArray(declaration.errors) ? [] : [`${path}: ${method} names no errors`]),
    ];
  });
}

describe("calls of the API", () => {
  check("every method of app/api/v1 is made by endpoint() or rawEndpoint()", notMade);

  check("nothing answers under /api but the calls and the sign-in of next-auth", (tree) =>
    tree.files
      .filter((path) => /^app\/api\/.*route\.ts$/.test(path))
      .filter((path) => !path.startsWith("app/api/v1/") && path !== "app/api/auth/[...nextauth]/route.ts")
      .map((path) => `${path}: calls live under app/api/v1`),
  );

  check("a call imports nothing of Next, so that tests call it as a plain function", (tree) =>
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

  it("every loaded handler declares its access, its summary and its refusals", () => {
    expectNone(
      "declarations",
      [...modules].flatMap(([path, module]) => undeclared(path, module)),
    );
  });

  it("a handler without its access does not pass", ({ expect }) => {
    const handler = Object.assign(() => {}, { declaration: { summary: "A", errors: [] } });
    expect(undeclared("a", { POST: handler })).toEqual(["a: POST declares no access"]);
    expect(undeclared("a", { POST: Number })).toEqual(["a: POST carries no declaration"]);
    expect(undeclared("a", {})).toEqual(["a: answers no method"]);
  });
});
