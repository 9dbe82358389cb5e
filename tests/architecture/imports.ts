import { dirname, normalize } from "node:path/posix";
import { Visitor } from "oxc-parser";
import { isCode, isFile, lineNumber, parse, type Repository } from "./repository";

export type Import = {
  from: string;
  line: number;
  /** As written. */
  specifier: string;
  /** A path of the repository, or the specifier of a package or Node module (`node:fs`). */
  target: string;
  isInternal: boolean;
  /** A type import, which the compiler removes. */
  typeOnly: boolean;
  /** `import()`. */
  dynamic: boolean;
};

const ENDINGS = ["", ".ts", ".tsx", ".mjs", ".d.ts", "/index.ts", "/index.tsx"];

function resolveInside(repo: Repository, path: string): string {
  return ENDINGS.map((ending) => path + ending).find((file) => isFile(repo, file)) ?? path;
}

function locate(repo: Repository, from: string, specifier: string): Pick<Import, "target" | "isInternal"> {
  const path = specifier.startsWith("@/")
    ? specifier.slice(2)
    : specifier.startsWith(".")
      ? normalize(`${dirname(from)}/${specifier}`)
      : undefined;
  if (path === undefined) return { target: specifier, isInternal: false };
  return { target: resolveInside(repo, path), isInternal: true };
}

const importCache = new WeakMap<Repository, Map<string, Import[]>>();

/** All imports of a code file: static imports, re-exports, `import()` with a literal, `require` and `import("…")` types. */
export function getImports(repo: Repository, from: string): Import[] {
  const cached = importCache.get(repo) ?? new Map<string, Import[]>();
  importCache.set(repo, cached);
  const imports = cached.get(from) ?? readImports(repo, from);
  cached.set(from, imports);
  return imports;
}

function readImports(repo: Repository, from: string): Import[] {
  const imports: Import[] = [];
  const add = (specifier: string, position: number, flags: { typeOnly?: boolean; dynamic?: boolean }) =>
    imports.push({
      from,
      line: lineNumber(repo, from, position),
      specifier,
      ...locate(repo, from, specifier),
      typeOnly: flags.typeOnly ?? false,
      dynamic: flags.dynamic ?? false,
    });
  const { module, program } = parse(repo, from);
  for (const { moduleRequest, entries, start } of module.staticImports)
    add(moduleRequest.value, start, { typeOnly: entries.length > 0 && entries.every((e) => e.isType) });
  for (const { entries, start } of module.staticExports) {
    const [first] = entries.filter((entry) => entry.moduleRequest);
    if (first?.moduleRequest)
      add(first.moduleRequest.value, start, { typeOnly: entries.every((entry) => entry.isType) });
  }
  // Most files have none of these, and need no syntax tree.
  if (!/\b(?:import|require)\s*\(/.test(repo.read(from))) return imports;
  new Visitor({
    ImportExpression({ source, start }) {
      if (source.type === "Literal" && typeof source.value === "string")
        add(source.value, start, { dynamic: true });
    },
    TSImportType({ source, start }) {
      add(source.value, start, { typeOnly: true });
    },
    CallExpression({ callee, arguments: [first], start }) {
      if (callee.type !== "Identifier" || callee.name !== "require") return;
      if (first?.type === "Literal" && typeof first.value === "string") add(first.value, start, {});
    },
  }).visit(program);
  return imports;
}

export const listImports = (repo: Repository, files = repo.files.filter(isCode)) =>
  files.flatMap((file) => getImports(repo, file));

/** The package name of a specifier: `next/link` → next, `@base-ui/react/menu` → @base-ui/react. */
export const packageName = (specifier: string) =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");

/** The given files and all files that they reach through runtime imports. */
export function reachableFiles(
  repo: Repository,
  start: string[],
  shouldFollow: (edge: Import) => boolean = () => true,
): Set<string> {
  const reached = new Set(start);
  for (const file of reached) {
    if (!isCode(file) || !isFile(repo, file)) continue;
    for (const edge of getImports(repo, file))
      if (edge.isInternal && !edge.typeOnly && shouldFollow(edge)) reached.add(edge.target);
  }
  return reached;
}

/** The shortest way from a node back to itself; empty when there is none. */
export function shortestLoop(edges: Map<string, Set<string>>, start: string): string[] {
  const paths = [[start]];
  const seen = new Set<string>();
  for (const path of paths)
    for (const next of edges.get(path.at(-1) ?? start) ?? []) {
      if (next === start) return path;
      if (!seen.has(next)) paths.push([...path, next]);
      seen.add(next);
    }
  return [];
}

/** Groups of nodes that reach each other (Tarjan's components with more than one member, or a self-loop). */
export function findCycles(edges: Map<string, Set<string>>): string[][] {
  const order = new Map<string, number>();
  const lowLinks = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  const visit = (node: string): number => {
    let lowest = order.size;
    order.set(node, lowest);
    stack.push(node);
    for (const next of edges.get(node) ?? []) {
      if (!order.has(next)) lowest = Math.min(lowest, visit(next));
      else if (stack.includes(next)) lowest = Math.min(lowest, order.get(next) ?? lowest);
    }
    lowLinks.set(node, lowest);
    if (lowest === order.get(node)) {
      const group = stack.splice(stack.indexOf(node));
      if (group.length > 1 || edges.get(node)?.has(node)) cycles.push(group);
    }
    return lowest;
  };
  for (const node of edges.keys()) if (!order.has(node)) visit(node);
  return cycles;
}
