import { dirname, normalize } from "node:path/posix";
import { Visitor } from "oxc-parser";
import { isCode, lineAt, parse, type Tree } from "./repository";

export type Import = {
  from: string;
  line: number;
  /** As written. */
  specifier: string;
  /** A path of the repository, or the specifier of a package or Node module (`node:fs`). */
  target: string;
  inside: boolean;
  /** A type import, which the compiler removes. */
  typeOnly: boolean;
  /** `import()`. */
  dynamic: boolean;
};

const ENDINGS = ["", ".ts", ".tsx", ".mjs", ".d.ts", "/index.ts", "/index.tsx"];

function resolveInside(tree: Tree, path: string): string {
  return ENDINGS.map((ending) => path + ending).find((file) => tree.files.includes(file)) ?? path;
}

function locate(tree: Tree, from: string, specifier: string): Pick<Import, "target" | "inside"> {
  const written = specifier.startsWith("@/")
    ? specifier.slice(2)
    : specifier.startsWith(".")
      ? normalize(`${dirname(from)}/${specifier}`)
      : undefined;
  if (written === undefined) return { target: specifier, inside: false };
  return { target: resolveInside(tree, written), inside: true };
}

const known = new WeakMap<Tree, Map<string, Import[]>>();

/** All imports of a code file: static imports, re-exports, `import()` with a literal, `require` and `import("…")` types. */
export function importsOf(tree: Tree, from: string): Import[] {
  const kept = known.get(tree) ?? new Map<string, Import[]>();
  known.set(tree, kept);
  const imports = kept.get(from) ?? readImports(tree, from);
  kept.set(from, imports);
  return imports;
}

function readImports(tree: Tree, from: string): Import[] {
  const found: Import[] = [];
  const add = (specifier: string, position: number, more: { typeOnly?: boolean; dynamic?: boolean }) =>
    found.push({
      from,
      line: lineAt(tree, from, position),
      specifier,
      ...locate(tree, from, specifier),
      typeOnly: more.typeOnly ?? false,
      dynamic: more.dynamic ?? false,
    });
  const { module, program } = parse(tree, from);
  for (const { moduleRequest, entries, start } of module.staticImports)
    add(moduleRequest.value, start, { typeOnly: entries.length > 0 && entries.every((e) => e.isType) });
  for (const { entries, start } of module.staticExports) {
    const [first] = entries.filter((entry) => entry.moduleRequest);
    if (first?.moduleRequest)
      add(first.moduleRequest.value, start, { typeOnly: entries.every((entry) => entry.isType) });
  }
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
  return found;
}

export const allImports = (tree: Tree, files = tree.files.filter(isCode)) =>
  files.flatMap((file) => importsOf(tree, file));

/** The package name of a specifier: `next/link` → next, `@base-ui/react/menu` → @base-ui/react. */
export const packageOf = (specifier: string) =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");

/** The given files and all files that they reach through runtime imports. */
export function reach(
  tree: Tree,
  start: string[],
  follow: (edge: Import) => boolean = () => true,
): Set<string> {
  const seen = new Set(start);
  for (const file of seen) {
    if (!isCode(file) || !tree.files.includes(file)) continue;
    for (const edge of importsOf(tree, file))
      if (edge.inside && !edge.typeOnly && follow(edge)) seen.add(edge.target);
  }
  return seen;
}

/** Groups of nodes that reach each other (Tarjan's components with more than one member, or a self-loop). */
export function findCycles(edges: Map<string, Set<string>>): string[][] {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
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
    low.set(node, lowest);
    if (lowest === order.get(node)) {
      const group = stack.splice(stack.indexOf(node));
      if (group.length > 1 || edges.get(node)?.has(node)) cycles.push(group);
    }
    return lowest;
  };
  for (const node of edges.keys()) if (!order.has(node)) visit(node);
  return cycles;
}
