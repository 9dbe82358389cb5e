import { describe } from "vitest";
import { check, type Tree } from "./repository";

const TEXT = /\.(tsx?|mts|mjs|css|sql|md|jsonc?|yml)$|^\.env\.example$/;
/** Generated files and content; their text refers to no file of the repository. */
const NOT_OURS = /^(package-lock\.json|public\/|db\/seed\/|db\/migrations\/meta\/|CHANGELOG\.md$)/;
const ROOT_DOCUMENTS = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"];

const texts = (tree: Tree) => tree.files.filter((path) => TEXT.test(path) && !NOT_OURS.test(path));
const documents = (tree: Tree) => texts(tree).filter((path) => path.endsWith(".md"));
const folderOf = (path: string) => path.split("/").slice(0, -1).join("/");

/** Matches of a pattern with path and line. */
function places(tree: Tree, files: string[], pattern: RegExp) {
  return files.flatMap((path) =>
    tree
      .read(path)
      .split("\n")
      .flatMap((line, index) =>
        [...line.matchAll(pattern)].map((match) => ({ at: `${path}:${index + 1}`, path, match })),
      ),
  );
}

/** The fragment that GitHub gives a heading: "4.2 Order status" → "42-order-status". */
const fragmentOf = (heading: string) =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/ /g, "-");

function hasHeading(tree: Tree, document: string, fragment: string): boolean {
  const headings = tree.read(document).matchAll(/^#{1,6} (.+)$/gm);
  return [...headings].some(([, heading = ""]) => fragmentOf(heading) === fragment);
}

/** Problem of a reference to a file and a heading; undefined if both exist. */
function problem(tree: Tree, target: string, fragment?: string): string | undefined {
  if (!tree.has(target)) return `${target} does not exist`;
  if (fragment && !hasHeading(tree, target, fragment)) return `${target} has no heading #${fragment}`;
  return undefined;
}

/** Mentions of a document by its path, with or without a heading, in any text file. */
function brokenMentions(tree: Tree): string[] {
  return places(tree, texts(tree), /\bdocs\/[\w./-]+\.(?:md|json)\b(?:#([\w-]+))?/g).flatMap(
    ({ at, match }) => {
      const wrong = problem(tree, match[0].split("#")[0] ?? "", match[1]);
      return wrong ? [`${at}: ${wrong}`] : [];
    },
  );
}

/** `[text](path#heading)` in documents. */
function brokenLinks(tree: Tree): string[] {
  return places(tree, documents(tree), /\]\((?![a-z]+:)([^)#\s]*)(?:#([\w-]+))?\)/g).flatMap(
    ({ at, path, match }) => {
      const target = match[1] ? `${folderOf(path)}/${match[1]}`.replace(/^\//, "") : path;
      const plain = new URL(target, "https://self.invalid/").pathname.slice(1);
      const wrong = problem(tree, plain, match[2]);
      return wrong ? [`${at}: ${wrong}`] : [];
    },
  );
}

/** Documents named without a path that are not in the root folder, and references to sections of other documents. */
function foreignDocuments(tree: Tree): string[] {
  const named = places(tree, texts(tree), /(?<![\w/}.-])[\w-]+\.md\b/g)
    .filter(({ match }) => !ROOT_DOCUMENTS.includes(match[0]) && !/^(en|zh|ja)\.md$/.test(match[0]))
    .map(({ at, match }) => `${at}: ${match[0]} is named without a path in this repository`);
  const sections = places(
    tree,
    texts(tree),
    /\b(?:[Ss]pec(?:ification)?|[Ii]ssue|[Dd]ecision) (?:§? ?\d+|["“])/g,
  ).map(({ at, match }) => `${at}: “${match[0]}” refers to no file of this repository`);
  return [...named, ...sections];
}

/** Paths in backticks in documents that do not exist; paths with `<noun>` or `*` are skipped. */
function missingPaths(tree: Tree): string[] {
  const folders = "app|components|lib|db|emails|messages|tests|scripts|patches|public";
  return places(
    tree,
    documents(tree),
    new RegExp(`\`((?:${folders})/[^\`\\s]*|(?:server|middleware|next\\.config)\\.ts)\``, "g"),
  )
    .filter(({ match }) => !/[<*{…]/.test(match[1] ?? ""))
    .filter(({ match }) => !tree.has((match[1] ?? "").replace(/[#:].*$/, "")))
    .map(({ at, match }) => `${at}: ${match[1]} does not exist`);
}

/** `npm run x` in documents without a script in package.json. */
function missingScripts(tree: Tree): string[] {
  const { scripts } = JSON.parse(tree.read("package.json")) as { scripts: Record<string, string> };
  return places(tree, documents(tree), /\bnpm run ([\w:]+)/g)
    .filter(({ match }) => !Object.hasOwn(scripts, match[1] ?? ""))
    .map(({ at, match }) => `${at}: package.json has no script ${match[1]}`);
}

/** Functions in docs/architecture.md that no file or folder of the same row exports. */
function missingFunctions(tree: Tree): string[] {
  const rows = places(tree, ["docs/architecture.md"], /^\|.*\|$/g);
  return rows.flatMap(({ at, match: [row] }) => {
    const named = [...row.matchAll(/`([\w./-]+\/[\w./-]+)`/g)].map(([, path = ""]) => path);
    const files = tree.files.filter((path) =>
      named.some((name) => path === name || path.startsWith(`${name}/`)),
    );
    return [...row.matchAll(/`(\w+)\(\)`/g)]
      .map(([, name = ""]) => name)
      .filter((name) => !files.some((path) => new RegExp(`export .*\\b${name}\\b`).test(tree.read(path))))
      .map((name) => `${at}: ${name} is exported by no file of its row`);
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
