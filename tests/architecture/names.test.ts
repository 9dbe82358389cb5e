import { describe } from "vitest";
import { NOUN_FILE, NOUNS } from "./layers";
import { law, sources, type Tree } from "./tree";

const SPECIAL =
  /^(page|layout|template|loading|error|global-error|not-found|global-not-found|default|forbidden|unauthorized)\.tsx$|^(route|sitemap|robots|manifest)\.ts$|^(opengraph-image|twitter-image|icon|apple-icon)\d*\.(tsx|png|jpg|svg)$|^favicon\.ico$/;
/** The one style sheet that Next's documentation puts here. */
const STYLE = "app/globals.css";
const FOLDERS_OF_COMPONENTS = [...NOUNS, "ui", "shell"];
/** Tables that belong to no noun, and why. */
const TABLES_OF_TOOLS: Record<string, string> = {
  columns: "column shapes that all tables share",
  requests: "idempotency keys, rate limits and audit: the tables of lib/endpoint and its tools",
  sandbox: "the tables of the Stripe sandbox",
};
const FOLDERS_OF_DB = ["schema", "migrations", "factories", "seed"];
/** Those of architecture.md, and `setup`: what the suites start with. */
const FOLDERS_OF_TESTS = ["setup", "rules", "domain", "api", "e2e", "laws", "bench", "faults"];
const DRAWERS = ["index", "utils", "helpers", "common", "misc", "types", "constants", "shared"];
const EMPTY_WORDS = ["manager", "service", "helper", "helpers", "util", "utils", "common", "data", "info"];
const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*$/;

const nameOf = (path: string) => (path.split("/").at(-1) ?? "").replace(/\..*$/, "");
const under = (tree: Tree, folder: string) => tree.files.filter((path) => path.startsWith(folder));
const say = (why: string) => (path: string) => `${path}: ${why}`;

const notSpecial = (tree: Tree) =>
  under(tree, "app/")
    .filter((path) => path !== STYLE && !SPECIAL.test(path.split("/").at(-1) ?? ""))
    .map(say("app holds Next's special files only"));

function misplacedInLib(tree: Tree): string[] {
  const files = under(tree, "lib/").map((path) => ({ path, parts: path.split("/") }));
  return files.flatMap(({ path, parts: [, folder = "", file = "", deeper] }) => {
    if (!file) return path.endsWith(".ts") ? [] : [`${path}: a tool is one .ts file`];
    if (!NOUNS.includes(folder)) return [`${path}: a folder of lib is one of ${NOUNS.join(", ")}`];
    if (deeper) return [`${path}: a noun has no sub-folder; a second file is named for its verbs`];
    if (NOUN_FILE.test(file)) return [];
    return [`${path}: a noun holds contract, rules, queries, commands (or <one of these>-<x>), jobs and seo`];
  });
}

function misplacedInComponents(tree: Tree): string[] {
  return under(tree, "components/")
    .filter((path) => {
      const [, folder = "", , deeper] = path.split("/");
      return !FOLDERS_OF_COMPONENTS.includes(folder) || deeper !== undefined;
    })
    .map(say("components/<noun>/<file>, components/ui/<file> or components/shell/<file>"));
}

function misplacedElsewhere(tree: Tree): string[] {
  const db = under(tree, "db/").filter((path) => {
    const [, folder = "", file] = path.split("/");
    if (!file) return !/\.ts$/.test(folder);
    if (folder === "schema") return ![...NOUNS, ...Object.keys(TABLES_OF_TOOLS)].includes(nameOf(path));
    if (folder === "factories") return !NOUNS.includes(nameOf(path));
    return !FOLDERS_OF_DB.includes(folder);
  });
  const tests = under(tree, "tests/").filter((path) => {
    const [, folder = "", file] = path.split("/");
    return file !== undefined && !FOLDERS_OF_TESTS.includes(folder);
  });
  const scripts = under(tree, "scripts/").filter((path) => path.split("/").length > 2);
  return [
    ...db.map(say("db holds schema/<noun>.ts, factories/<noun>.ts, migrations, seed and single files")),
    ...tests.map(say(`tests holds ${FOLDERS_OF_TESTS.join(", ")}`)),
    ...scripts.map(say("scripts has no folders")),
  ];
}

/** `[locale]`, `(desktop)`, `[...rest]` and `llms.txt` are Next's own way of naming a path. */
const plainSegment = (segment: string) =>
  segment
    .replace(/^[[(]+(\.\.\.)?/, "")
    .replace(/[\])]+$/, "")
    .replace(/\.(txt|jsonl?|xml)$/, "")
    .replaceAll("_", "-");

function badlyWritten(tree: Tree): string[] {
  const named = [
    ...sources(tree),
    ...tree.files.filter((path) => /^(components|tests)\/.*\.(css|ts|tsx)$/.test(path)),
  ];
  return named.flatMap((path) => {
    const [file = "", ...folders] = path.split("/").reverse();
    const stem = file.replace(/(\.(test|spec|mobile|config|d))*\.[a-z]+$/, "");
    const parts = path.startsWith("app/") ? [...folders.map(plainSegment), stem] : [...folders, stem];
    const bad = parts.filter(
      (part) => !(KEBAB.test(part) || (part === "nextauth" && path.startsWith("app/"))),
    );
    return bad.length > 0 ? [`${path}: ${bad.join(", ")} is not kebab-case`] : [];
  });
}

const drawers = (tree: Tree) =>
  tree.files
    .filter((path) => /\.(ts|tsx|mjs|cjs|js)$/.test(path) && DRAWERS.includes(nameOf(path)))
    .map(say(`there is no file called ${DRAWERS.join(", ")}: name it for what it does`));

const emptyWords = (tree: Tree) =>
  sources(tree)
    .filter(
      (path) =>
        !path.startsWith("app/") &&
        nameOf(path)
          .split("-")
          .some((word) => EMPTY_WORDS.includes(word)),
    )
    .map(say(`${EMPTY_WORDS.join(", ")} say nothing in a name`));

describe("names and places", () => {
  law("app holds Next's special files only", notSpecial, {
    breaks: { "app/[locale]/cart/cart-form.tsx": "" },
    says: /cart-form\.tsx: app holds/,
    keeps: { "app/[locale]/cart/page.tsx": "", "app/api/v1/cart/list/route.ts": "", "app/globals.css": "" },
  });
  law(
    "a folder of lib is a noun with the fixed file names",
    misplacedInLib,
    { breaks: { "lib/checkout/rules.ts": "" }, says: /a folder of lib is one of/ },
    {
      breaks: { "lib/cart/model.ts": "" },
      says: /a noun holds contract/,
      keeps: { "lib/cart/commands-refund.ts": "" },
    },
    { breaks: { "lib/cart/commands/add.ts": "" }, says: /no sub-folder/ },
    { breaks: { "lib/price.tsx": "" }, says: /one \.ts file/, keeps: { "lib/price.ts": "" } },
  );
  law("a folder of components is a noun, ui or shell", misplacedInComponents, {
    breaks: { "components/checkout/form.tsx": "", "components/cart/rows/row.tsx": "" },
    says: /checkout\/form\.tsx(.|\n)*rows\/row\.tsx|rows\/row\.tsx(.|\n)*checkout\/form\.tsx/,
    keeps: { "components/shell/header.tsx": "", "components/cart/row.tsx": "" },
  });
  law(
    "db, tests and scripts keep their shape",
    misplacedElsewhere,
    { breaks: { "db/schema/things.ts": "" }, says: /db holds schema/, keeps: { "db/schema/orders.ts": "" } },
    { breaks: { "tests/unit/x.test.ts": "" }, says: /tests holds setup, rules/ },
    { breaks: { "scripts/lib/x.ts": "" }, says: /scripts has no folders/ },
  );
  law("files and folders are kebab-case", badlyWritten, {
    breaks: { "components/cart/BuyBox.tsx": "" },
    says: /BuyBox is not kebab-case/,
    keeps: { "components/cart/buy-box.mobile.tsx": "", "app/[locale]/(desktop)/product/[slug]/page.tsx": "" },
  });
  law("there are no drawers for odds and ends", drawers, {
    breaks: { "lib/utils.ts": "", "components/ui/index.ts": "" },
    says: /components\/ui\/index\.ts: there is no file called(.|\n)*lib\/utils\.ts/,
  });
  law("file names are made of words that say something", emptyWords, {
    breaks: { "lib/order-manager.ts": "" },
    says: /order-manager\.ts: .* say nothing/,
  });
});
