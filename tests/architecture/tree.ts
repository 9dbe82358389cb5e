import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type ParseResult, parseSync } from "oxc-parser";
import { expect, it } from "vitest";

/**
 * What a law reads: the files of the repository by path from its root, or a handful of made-up ones that break the
 * law. Git is not asked: a fresh clone may be somebody else's, or have no git at hand.
 */
export type Tree = { files: readonly string[]; read(path: string): string; has(path: string): boolean };

export const ROOT = resolve(fileURLToPath(new URL("../..", import.meta.url)));

/** Everything that .gitignore names, and git itself. */
const IGNORED =
  /^(node_modules|\.git|\.next|\.data|test-results|playwright-report|\.env(\.local)?|next-env\.d\.ts)$|\.(log|tsbuildinfo)$/;

function walk(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder ? `${folder}/${entry.name}` : entry.name;
    if (IGNORED.test(entry.name)) return [];
    if (entry.isDirectory()) return walk(path);
    return entry.isFile() ? [path] : [];
  });
}

const cache = new Map<string, string>();

export const repository: Tree = {
  files: walk("").sort(),
  read(path) {
    const known = cache.get(path) ?? readFileSync(join(ROOT, path), "utf8");
    cache.set(path, known);
    return known;
  },
  has: (path) => existsSync(join(ROOT, path)),
};

/** A tree of these files only, for a law's proof that it can fail. */
export function treeOf(files: Record<string, string>): Tree {
  return {
    files: Object.keys(files).sort(),
    read: (path) => files[path] ?? "",
    has: (path) => Object.keys(files).some((file) => file === path || file.startsWith(`${path}/`)),
  };
}

export const isCode = (path: string) => /\.(ts|tsx|mjs|cjs|js)$/.test(path) && !path.endsWith(".d.ts");
export const isTest = (path: string) => path.startsWith("tests/");
/** Code that is not a test. */
export const sources = (tree: Tree) => tree.files.filter((path) => isCode(path) && !isTest(path));

const parses = new WeakMap<Tree, Map<string, ParseResult>>();

export function parse(tree: Tree, path: string): ParseResult {
  const known = parses.get(tree) ?? new Map<string, ParseResult>();
  parses.set(tree, known);
  const result = known.get(path) ?? parseSync(path, tree.read(path), { preserveParens: false });
  known.set(path, result);
  const [problem] = result.errors;
  if (problem) throw new Error(`${path} cannot be parsed: ${problem.message}`);
  return result;
}

/** Line number of a position in a file, from 1. */
export const lineAt = (tree: Tree, path: string, position: number) =>
  tree.read(path).slice(0, position).split("\n").length;

export type Check = (tree: Tree) => string[];
type Proof = { breaks: Record<string, string>; says: RegExp; keeps?: Record<string, string> };

/** One law: the repository keeps it, and the proofs show that a tree that breaks it does not pass. */
export function law(title: string, check: Check, ...proofs: Proof[]): void {
  it(title, () => hold(title, check(repository)));
  it.each(proofs)(`${title}: can fail, with $says`, ({ breaks, says, keeps }) => {
    expect(check(treeOf(breaks)).join("\n")).toMatch(says);
    if (keeps) expect(check(treeOf(keeps))).toEqual([]);
  });
}

/** Fails with every violation on a line of its own. */
export function hold(title: string, violations: string[]): void {
  if (violations.length > 0)
    expect.fail(`${title}: ${violations.length} broken\n  ${[...new Set(violations)].join("\n  ")}`);
}
