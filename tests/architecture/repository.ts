import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type ParseResult, parseSync } from "oxc-parser";
import { expect, it } from "vitest";

/** The files of the repository by path from its root, listed without Git because a copy may lack it. */
export type Repository = { files: readonly string[]; read(path: string): string; has(path: string): boolean };

export const ROOT = resolve(fileURLToPath(new URL("../..", import.meta.url)));

/** The entries of .gitignore, and .git. */
const IGNORED =
  /^(node_modules|\.git|\.next|\.next-release|releases|sbom|\.data|test-results|playwright-report|\.env(\.local)?|next-env\.d\.ts)$|\.(log|tsbuildinfo)$/;

function walk(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder ? `${folder}/${entry.name}` : entry.name;
    if (IGNORED.test(entry.name)) return [];
    if (entry.isDirectory()) return walk(path);
    return entry.isFile() ? [path] : [];
  });
}

const contents = new Map<string, string>();

export const repository: Repository = {
  files: walk("").sort(),
  read(path) {
    const content = contents.get(path) ?? readFileSync(join(ROOT, path), "utf8");
    contents.set(path, content);
    return content;
  },
  has: (path) => existsSync(join(ROOT, path)),
};

const fileSets = new WeakMap<Repository, Set<string>>();

/** Whether a path is a file of the repository. */
export function isFile(repo: Repository, path: string): boolean {
  const files = fileSets.get(repo) ?? new Set(repo.files);
  fileSets.set(repo, files);
  return files.has(path);
}

export const isCode = (path: string) => /\.(ts|tsx|mjs|cjs|js)$/.test(path) && !path.endsWith(".d.ts");
/** Tests, and the trials and benches of the lab. */
export const isTest = (path: string) => /^(tests|lab)\//.test(path);
/** Code that is not a test. */
export const sources = (repo: Repository) => repo.files.filter((path) => isCode(path) && !isTest(path));

const parses = new Map<string, ParseResult>();

export function parse(repo: Repository, path: string): ParseResult {
  const result = parses.get(path) ?? parseSync(path, repo.read(path), { preserveParens: false });
  parses.set(path, result);
  const [error] = result.errors;
  if (error) throw new Error(`${path} cannot be parsed: ${error.message}`);
  return result;
}

/** Line number of a position in a file, from 1. */
export const lineNumber = (repo: Repository, path: string, position: number) =>
  repo.read(path).slice(0, position).split("\n").length;

/** A test that lists every violation it finds in the repository. */
export function check(title: string, violations: (repo: Repository) => string[]): void {
  it(title, () => expectNone(title, violations(repository)));
}

/** Fails with each violation on its own line. */
export function expectNone(title: string, violations: string[]): void {
  if (violations.length > 0)
    expect.fail(`${title}: ${violations.length} violations\n  ${[...new Set(violations)].join("\n  ")}`);
}
