import { describe } from "vitest";
import { check, type Repository } from "./repository";

const TEXT = /\.(tsx?|mts|mjs|css|sql|md|jsonc?|ya?ml)$|^\.env\.example$/;
/** Generated files and content; their text refers to no file of the repository. */
const EXCLUDED = /^(package-lock\.json|public\/|db\/seed\/|db\/migrations\/meta\/|CHANGELOG\.md$)/;
const ROOT_DOCUMENTS = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"];

const listTextFiles = (repo: Repository) =>
  repo.files.filter((path) => TEXT.test(path) && !EXCLUDED.test(path));
const listDocuments = (repo: Repository) => listTextFiles(repo).filter((path) => path.endsWith(".md"));
const parentFolder = (path: string) => path.split("/").slice(0, -1).join("/");

/** Matches of a pattern with path and line. */
function findMatches(repo: Repository, files: string[], pattern: RegExp) {
  return files.flatMap((path) =>
    repo
      .read(path)
      .split("\n")
      .flatMap((line, index) =>
        [...line.matchAll(pattern)].map((match) => ({ location: `${path}:${index + 1}`, path, match })),
      ),
  );
}

/** The fragment that GitHub gives a heading: "4.2 Order status" → "42-order-status". */
const headingFragment = (heading: string) =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/ /g, "-");

function hasHeading(repo: Repository, document: string, fragment: string): boolean {
  const headings = repo.read(document).matchAll(/^#{1,6} (.+)$/gm);
  return [...headings].some(([, heading = ""]) => headingFragment(heading) === fragment);
}

/** Problem of a reference to a file and a heading; undefined if both exist. */
function referenceProblem(repo: Repository, target: string, fragment?: string): string | undefined {
  if (!repo.has(target)) return `${target} does not exist`;
  if (fragment && !hasHeading(repo, target, fragment)) return `${target} has no heading #${fragment}`;
  return undefined;
}

/** Mentions of a document by its path, with or without a heading, in any text file. */
function brokenMentions(repo: Repository): string[] {
  return findMatches(repo, listTextFiles(repo), /\bdocs\/[\w./-]+\.(?:md|json)\b(?:#([\w-]+))?/g).flatMap(
    ({ location, match }) => {
      const problem = referenceProblem(repo, match[0].split("#")[0] ?? "", match[1]);
      return problem ? [`${location}: ${problem}`] : [];
    },
  );
}

/** `[text](path#heading)` in documents. */
function brokenLinks(repo: Repository): string[] {
  return findMatches(repo, listDocuments(repo), /\]\((?![a-z]+:)([^)#\s]*)(?:#([\w-]+))?\)/g).flatMap(
    ({ location, path, match }) => {
      const target = match[1] ? `${parentFolder(path)}/${match[1]}`.replace(/^\//, "") : path;
      const normalized = new URL(target, "https://self.invalid/").pathname.slice(1);
      const problem = referenceProblem(repo, normalized, match[2]);
      return problem ? [`${location}: ${problem}`] : [];
    },
  );
}

/** Documents named without a path that are not in the root folder, and references to sections of other documents. */
function foreignDocuments(repo: Repository): string[] {
  const unqualified = findMatches(repo, listTextFiles(repo), /(?<![\w/}.-])[\w-]+\.md\b/g)
    .filter(({ match }) => !ROOT_DOCUMENTS.includes(match[0]) && !/^(en|zh|ja)\.md$/.test(match[0]))
    .map(({ location, match }) => `${location}: ${match[0]} is named without a path in this repository`);
  const sections = findMatches(
    repo,
    listTextFiles(repo),
    /\b(?:[Ss]pec(?:ification)?|[Ii]ssue|[Dd]ecision) (?:§? ?\d+|["“])/g,
  ).map(({ location, match }) => `${location}: “${match[0]}” refers to no file of this repository`);
  return [...unqualified, ...sections];
}

/** Paths in backticks in documents that do not exist; paths with `<noun>` or `*` are skipped. */
function missingPaths(repo: Repository): string[] {
  const folders = "app|components|lib|db|emails|messages|tests|lab|scripts|patches|public";
  return findMatches(
    repo,
    listDocuments(repo),
    new RegExp(`\`((?:${folders})/[^\`\\s]*|(?:server|middleware|next\\.config)\\.ts)\``, "g"),
  )
    .filter(({ match }) => !/[<*{…]/.test(match[1] ?? ""))
    .filter(({ match }) => !repo.has((match[1] ?? "").replace(/[#:].*$/, "")))
    .map(({ location, match }) => `${location}: ${match[1]} does not exist`);
}

/** `npm run x` in documents without a script in package.json. */
function missingScripts(repo: Repository): string[] {
  const { scripts } = JSON.parse(repo.read("package.json")) as { scripts: Record<string, string> };
  return findMatches(repo, listDocuments(repo), /\bnpm run ([\w:]+)/g)
    .filter(({ match }) => !Object.hasOwn(scripts, match[1] ?? ""))
    .map(({ location, match }) => `${location}: package.json has no script ${match[1]}`);
}

/** Functions in docs/architecture.md that no file or folder of the same line exports. */
function missingFunctions(repo: Repository): string[] {
  const lines = findMatches(repo, ["docs/architecture.md"], /^- .*$/g);
  return lines.flatMap(({ location, match: [line] }) => {
    const unqualified = [...line.matchAll(/`([\w./-]+\/[\w./-]+)`/g)].map(([, path = ""]) => path);
    const files = repo.files.filter((path) =>
      unqualified.some((name) => path === name || path.startsWith(`${name}/`)),
    );
    return [...line.matchAll(/`(\w+)\(\)`/g)]
      .map(([, name = ""]) => name)
      .filter((name) => !files.some((path) => new RegExp(`export .*\\b${name}\\b`).test(repo.read(path))))
      .map((name) => `${location}: ${name} is exported by no file of its line`);
  });
}

describe("references", () => {
  check("every mentioned document and heading exists", brokenMentions);
  check("every relative link leads to an existing file and heading", brokenLinks);
  check("no reference points outside this repository", foreignDocuments);
  check("every path in a document exists", missingPaths);
  check("every npm script in a document exists", missingScripts);
  check("every function in docs/architecture.md is in its file", missingFunctions);
});
