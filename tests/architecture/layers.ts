import { Visitor } from "oxc-parser";
import { type Import, importsOf, packageOf, reach } from "./imports";
import { isCode, parse, type Tree } from "./tree";

/** The nouns of architecture.md. Add one only when a new business thing appears, and there first. */
export const NOUNS = [
  "accounts",
  "blog",
  "cart",
  "catalog",
  "coupons",
  "delivery",
  "merchants",
  "orders",
  "payments",
  "referrals",
  "reviews",
  "tracking",
  "notifications",
];

/** Kinds of files in a noun's folder of lib: the fixed names, and a second file named for its verbs or its part. */
export const NOUN_FILE =
  /^(?:(contract|rules|queries|commands)(?:-[a-z0-9]+(?:-[a-z0-9]+)*)?|(jobs|seo))\.ts$/;

export type Layer =
  | "app"
  | "parts" // components/<noun>, components/shell
  | "ui"
  | "doing" // lib/<noun>/{queries,commands,jobs}
  | "saying" // lib/<noun>/{contract,rules,seo}
  | "emails"
  | "tool"
  | "db"
  | "operations" // server.ts, instrumentation.ts, scripts/**
  | "settings" // *.config.*
  | "tests"
  | "texts" // messages, styles, pictures
  | "unknown";

const LAYERS: [RegExp, Layer][] = [
  [/\.(json|css|woff2|svg|png|avif|webp|csv|jsonl|sql)$/, "texts"],
  [/^(app\/|middleware\.ts$)/, "app"],
  [/^components\/ui\//, "ui"],
  [/^components\//, "parts"],
  [/^lib\/[^/]+\/(contract|rules|seo)\b/, "saying"],
  [/^lib\/[^/]+\//, "doing"],
  [/^lib\/[^/]+$/, "tool"],
  [/^db\//, "db"],
  [/^emails\//, "emails"],
  [/^(scripts\/|server\.ts$|instrumentation\.ts$)/, "operations"],
  [/^[^/]+\.config\.[a-z]+$/, "settings"],
  [/^tests\//, "tests"],
];

export const layerOf = (path: string): Layer => LAYERS.find(([form]) => form.test(path))?.[1] ?? "unknown";

/** The noun that a file of lib or components belongs to. */
export const nounOf = (path: string) =>
  NOUNS.find((noun) => path.startsWith(`lib/${noun}/`) || path.startsWith(`components/${noun}/`));

/** Packages that run in a browser without reaching anything outside it. All others count as not browser-safe. */
export const BROWSER_PACKAGES = [
  "zod",
  "react",
  "react-dom",
  "next-intl",
  "use-intl",
  "schema-dts",
  "lucide-react",
];
const BROWSER_ONLY = ["@base-ui/react", "@stripe/stripe-js", "@stripe/react-stripe-js", "next"];
/** Parts of those packages that need a request or a server. */
const SERVER_PARTS = ["next/headers", "next/server", "next/cache", "next-intl/server", "react-dom/server"];

const foreign = (edges: Import[]) => edges.filter((edge) => !edge.inside && !edge.typeOnly);
const runsInBrowser = (specifier: string) =>
  [...BROWSER_PACKAGES, ...BROWSER_ONLY].includes(packageOf(specifier)) && !SERVER_PARTS.includes(specifier);

/**
 * Why a file cannot run in a browser: the first thing outside it that its running imports reach, or undefined.
 * Types are erased, so they never count.
 */
export function whyNotBrowserSafe(tree: Tree, path: string): string | undefined {
  for (const file of reach(tree, [path])) {
    if (file === "lib/platform/env.ts" || file.startsWith("db/")) return file;
    if (!isCode(file) || !tree.files.includes(file)) continue;
    const bad = foreign(importsOf(tree, file)).find(({ specifier }) => !runsInBrowser(specifier));
    if (bad) return `${bad.specifier} (in ${file})`;
  }
  return undefined;
}

const OUTSIDE_WORLD = [
  "fetch",
  "window",
  "document",
  "localStorage",
  "sessionStorage",
  "navigator",
  "location",
];

/** Why a file is not pure: what makes it unsafe for a browser, or a touch of the world outside. */
export function whyNotPure(tree: Tree, path: string): string | undefined {
  const unsafe = whyNotBrowserSafe(tree, path);
  if (unsafe) return unsafe;
  for (const file of reach(tree, [path])) {
    if (!isCode(file) || !tree.files.includes(file)) continue;
    const drawn = foreign(importsOf(tree, file)).find(({ specifier }) =>
      BROWSER_ONLY.includes(packageOf(specifier)),
    );
    if (drawn) return `${drawn.specifier} (in ${file})`;
    const touched = touchOf(tree, file);
    if (touched) return `${touched} (in ${file})`;
  }
  return undefined;
}

function touchOf(tree: Tree, file: string): string | undefined {
  let touched: string | undefined;
  new Visitor({
    CallExpression({ callee }) {
      if (callee.type === "Identifier" && callee.name === "fetch") touched = "fetch()";
    },
    MemberExpression({ object }) {
      if (object.type === "Identifier" && OUTSIDE_WORLD.slice(1).includes(object.name)) touched = object.name;
    },
  }).visit(parse(tree, file).program);
  return touched;
}
