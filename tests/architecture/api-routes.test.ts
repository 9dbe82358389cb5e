import { pathToFileURL } from "node:url";
import { beforeAll, describe, it } from "vitest";
import { getImports, listImports, reachableFiles } from "./imports";
import {
  check,
  expectNone,
  isCode,
  isFile,
  parse,
  type Repository,
  ROOT,
  repository,
  sources,
} from "./repository";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];
const FACTORIES = ["endpoint", "fileEndpoint", "fileOrFieldsEndpoint", "rawEndpoint"];
const ACCESS = ["public", "user"];
const KINDS = ["staff", "merchant", "factor"];

const listRouteFiles = (repo: Repository) =>
  repo.files.filter((path) => /^app\/api\/v1\/.*route\.ts$/.test(path));

/** Names of constants in the file that are created by endpoint(), fileEndpoint() or rawEndpoint(). */
function listEndpoints(repo: Repository, path: string): Set<string> {
  const endpoints = new Set<string>();
  if (!getImports(repo, path).some(({ target }) => target === "lib/platform/api/endpoint.ts"))
    return endpoints;
  const constants = parse(repo, path).program.body.flatMap((node) => {
    const declaration = node.type === "ExportNamedDeclaration" ? node.declaration : node;
    return declaration?.type === "VariableDeclaration" ? declaration.declarations : [];
  });
  for (const { id, init } of constants) {
    if (id.type !== "Identifier") continue;
    const factory =
      init?.type === "CallExpression" && init.callee.type === "Identifier" ? init.callee.name : "";
    if (FACTORIES.includes(factory) || (init?.type === "Identifier" && endpoints.has(init.name)))
      endpoints.add(id.name);
  }
  return endpoints;
}

/** Exported methods that are not created by endpoint(), fileEndpoint() or rawEndpoint() in this or another route file. */
function foreignHandlers(repo: Repository): string[] {
  return listRouteFiles(repo).flatMap((path) => {
    const endpoints = listEndpoints(repo, path);
    const { staticExports } = parse(repo, path).module;
    return staticExports
      .flatMap(({ entries }) => entries)
      .filter(({ exportName, isType }) => METHODS.includes(exportName.name ?? "") && !isType)
      .flatMap(({ exportName, localName, moduleRequest }) => {
        if (moduleRequest && /^@\/app\/api\/v1\/.*\/route$/.test(moduleRequest.value)) return [];
        if (moduleRequest) return [`${path}: ${exportName.name} re-exports from ${moduleRequest.value}`];
        if (endpoints.has(localName.name ?? "")) return [];
        return [`${path}: ${exportName.name} is not created by endpoint(), fileEndpoint() or rawEndpoint()`];
      });
  });
}

const isAccess = (access: string | { kind: string } | undefined) =>
  typeof access === "object" ? KINDS.includes(access.kind) : ACCESS.includes(access ?? "");

type Module = Record<string, unknown>;

/** Checks the declaration on each handler of a loaded route module. */
function declarationProblems(path: string, module: Module): string[] {
  const handlers = METHODS.filter((method) => method in module);
  if (handlers.length === 0) return [`${path}: has no method`];
  return handlers.flatMap((method) => {
    const { declaration } = module[method] as {
      declaration?: { access?: string | { kind: string }; summary?: string; errors?: unknown };
    };
    if (!declaration) return [`${path}: ${method} has no declaration`];
    return [
      ...(isAccess(declaration.access) ? [] : [`${path}: ${method} declares no access`]),
      ...(declaration.summary ? [] : [`${path}: ${method} has no summary`]),
      ...(Array.isArray(declaration.errors) ? [] : [`${path}: ${method} names no errors`]),
    ];
  });
}

const LIST = "lib/platform/api/routes.ts";

/** The lines that the list of route files lacks, or should not have. */
function listDifferences(repo: Repository): string[] {
  const listed: string[] = repo.read(LIST).match(/^ {2}".*$/gm) ?? [];
  const expected = listRouteFiles(repo).map((path) => {
    const call = path.slice("app/api/v1".length, -"/route.ts".length);
    return `  "${call}": typeof import("@/app/api/v1${call}/route");`;
  });
  return [
    ...expected.filter((line) => !listed.includes(line)).map((line) => `${LIST} lacks ${line.trim()}`),
    ...listed.filter((line) => !expected.includes(line)).map((line) => `${LIST} has ${line.trim()}`),
  ];
}

/** Imports from app, by code that is not of app: the client takes the types of its calls from the list. */
const importsOfRoutes = (repo: Repository) =>
  listImports(
    repo,
    sources(repo).filter((path) => /^(lib|components|emails|db)\//.test(path)),
  )
    .filter(({ from, target, typeOnly }) => target.startsWith("app/") && !(from === LIST && typeOnly))
    .map(({ from, line, specifier }) => `${from}:${line} imports ${specifier}`);

describe("API routes", () => {
  check("the list from which the client takes its types has every route file", listDifferences);

  check("only that list imports route files, and only their types", importsOfRoutes);

  it("are checked for missing and surplus routes and for imports elsewhere", ({ expect }) => {
    const files: Record<string, string> = {
      "app/api/v1/cart/add/route.ts": "",
      [LIST]: 'export type Routes = {\n  "/cart/list": typeof import("@/app/api/v1/cart/list/route");\n};\n',
      "lib/cart/example.ts": 'import type { POST } from "@/app/api/v1/cart/add/route";\n',
    };
    const repo = {
      files: Object.keys(files),
      read: (path: string) => files[path] ?? "",
      has: (path: string) => path in files,
    };
    expect(listDifferences(repo)).toEqual([
      `${LIST} lacks "/cart/add": typeof import("@/app/api/v1/cart/add/route");`,
      `${LIST} has "/cart/list": typeof import("@/app/api/v1/cart/list/route");`,
    ]);
    expect(importsOfRoutes(repo)).toEqual(["lib/cart/example.ts:1 imports @/app/api/v1/cart/add/route"]);
  });

  check(
    "every method of app/api/v1 is created by endpoint(), fileEndpoint() or rawEndpoint()",
    foreignHandlers,
  );

  check("app/api holds only the calls and the sign-in of next-auth", (repo) =>
    repo.files
      .filter((path) => /^app\/api\/.*route\.ts$/.test(path))
      .filter((path) => !path.startsWith("app/api/v1/") && path !== "app/api/auth/[...nextauth]/route.ts")
      .map((path) => `${path}: calls belong in app/api/v1`),
  );

  check("calls do not import Next, so that tests can run them as plain functions", (repo) =>
    [...reachableFiles(repo, listRouteFiles(repo))]
      .filter((path) => isCode(path) && isFile(repo, path))
      .flatMap((path) => getImports(repo, path))
      .filter(({ specifier, typeOnly }) => !typeOnly && /^next(-intl\/server$|\/|$)/.test(specifier))
      .map(({ from, line, specifier }) => `${from}:${line}: a call imports ${specifier}`),
  );

  const modules = new Map<string, Module>();
  beforeAll(async () => {
    for (const path of listRouteFiles(repository))
      modules.set(path, await import(/* @vite-ignore */ pathToFileURL(`${ROOT}/${path}`).href));
  });

  it("declare access, summary and errors in every handler", () => {
    expectNone(
      "declarations",
      [...modules].flatMap(([path, module]) => declarationProblems(path, module)),
    );
  });

  it("are checked for handlers without access, declaration or method", ({ expect }) => {
    const handler = Object.assign(() => {}, { declaration: { summary: "A", errors: [] } });
    expect(declarationProblems("a", { POST: handler })).toEqual(["a: POST declares no access"]);
    expect(declarationProblems("a", { POST: Number })).toEqual(["a: POST has no declaration"]);
    expect(declarationProblems("a", {})).toEqual(["a: has no method"]);
  });
});
