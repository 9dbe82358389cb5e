import { describe } from "vitest";
import { allImports, type Import, packageOf } from "./imports";
import { type Layer, layerOf, nounOf, whyNotBrowserSafe, whyNotPure } from "./layers";
import { law, sources, type Tree } from "./tree";

const ORM = ["drizzle-orm", "postgres", "pg", "drizzle-kit"];
/**
 * The tools that keep something of their own in the database: the list of architecture.md, and audit, whose rows
 * endpoint() writes for every noun (decisions.md, Identity).
 */
const TOOLS_WITH_DATABASE =
  /^lib\/(session|jobs|rate-limit|vault|idempotency|audit|mail|cache|stripe-sandbox)(-[a-z-]+)?\.ts$/;

/** Why this import breaks the table of architecture.md, or undefined. One function per row. */
type Row = (edge: Import, tree: Tree) => string | undefined;
const NAMES: Record<Layer, string> = {
  app: "app",
  parts: "components/<noun>",
  ui: "components/ui",
  doing: "queries, commands and jobs",
  saying: "contract and rules",
  emails: "emails",
  tool: "tools",
  db: "db",
  operations: "scripts",
  settings: "config files",
  tests: "tests",
  texts: "texts",
  unknown: "",
};
const only =
  (may: Layer[], more?: Row): Row =>
  (edge, tree) => {
    const target = layerOf(edge.target);
    if (edge.inside && target !== "texts" && !may.includes(target))
      return `may import ${may.map((layer) => NAMES[layer]).join(", ")} only`;
    return more?.(edge, tree);
  };
const noPackage = (edge: Import, names: string[], why: string) =>
  !edge.inside && names.includes(packageOf(edge.specifier)) ? why : undefined;
/** Next itself, its types aside where a row allows them. */
const isNext = (edge: Import) => !edge.inside && packageOf(edge.specifier) === "next";
const browserSafeTool: Row = (edge, tree) => {
  if (edge.typeOnly || layerOf(edge.target) !== "tool") return undefined;
  const why = whyNotBrowserSafe(tree, edge.target);
  return why && `may use browser-safe tools only, and that one reaches ${why}`;
};
/** What belongs to one request stays in app/ and in the tools. */
const requestBound = (edge: Import) =>
  ["next/headers", "next/server", "next/cache"].includes(edge.specifier) && !edge.typeOnly
    ? "leaves cookies, headers and caches to app/ and the tools"
    : undefined;

const ROWS: Record<Layer, Row> = {
  app: only(["app", "parts", "ui", "tool", "doing", "saying"], (edge) =>
    noPackage(edge, ORM, "never uses the ORM"),
  ),
  parts: only(["parts", "ui", "saying", "tool"], (edge, tree) => {
    if (/^lib\/[^/]+\/seo/.test(edge.target)) return "may import contract and rules of a noun only";
    return requestBound(edge) ?? browserSafeTool(edge, tree) ?? noPackage(edge, ORM, "never uses the ORM");
  }),
  ui: only(["ui", "tool"], (edge, tree) => requestBound(edge) ?? browserSafeTool(edge, tree)),
  doing: only(["doing", "saying", "db", "emails", "tool"], (edge) =>
    isNext(edge) ? "never knows Next" : undefined,
  ),
  saying: only(["saying", "tool"], (edge, tree) => {
    if (/\/seo\b/.test(edge.target)) return "may import other contracts and rules, and pure tools";
    if (edge.typeOnly && edge.specifier === "next" && /\/seo\b/.test(edge.from)) return undefined;
    if (isNext(edge)) return "never knows Next (but seo may name its types)";
    if (edge.typeOnly) return undefined;
    const pure = ["zod", "schema-dts", "next-intl", "use-intl", "postcode-validator"];
    if (!edge.inside && !pure.includes(packageOf(edge.specifier))) return "does no I/O and draws nothing";
    if (layerOf(edge.target) !== "tool") return undefined;
    const why = whyNotPure(tree, edge.target);
    return why && `may use pure tools only, and that one reaches ${why}`;
  }),
  emails: only(["emails", "saying", "tool"], (edge) => noPackage(edge, ORM, "never reads")),
  tool: (edge) => {
    const target = layerOf(edge.target);
    if (!edge.inside || target === "tool" || target === "texts") {
      const keeps = TOOLS_WITH_DATABASE.test(edge.from);
      return keeps ? undefined : noPackage(edge, ORM, "is not one of the tools with a table of their own");
    }
    if (target !== "db") return "is a tool and may import tools only";
    return TOOLS_WITH_DATABASE.test(edge.from)
      ? undefined
      : "is not one of the tools with a table of their own";
  },
  db: only(["db", "saying", "tool"], ({ target }) =>
    layerOf(target) === "saying" && !/\/rules\b/.test(target) ? "may import rules and tools only" : undefined,
  ),
  operations: only(["operations", "db", "emails", "doing", "saying", "tool"]),
  settings: only(["settings", "tool", "operations", "tests"]),
  tests: () => undefined,
  texts: () => undefined,
  unknown: (edge) => (edge.inside ? "stands in no layer of architecture.md" : undefined),
};

const table = (tree: Tree) =>
  allImports(tree, sources(tree)).flatMap((edge) => {
    const why = ROWS[layerOf(edge.from)](edge, tree);
    return why ? [`${edge.from}:${edge.line} imports ${edge.specifier}: ${edge.from} ${why}`] : [];
  });

/** A file that imports something, beside the files it needs. */
const imports = (from: string, specifier: string, more: Record<string, string> = {}) => ({
  [from]: `import { x } from "${specifier}";\nexport const y = x;\n`,
  ...more,
});

describe("who may import whom", () => {
  law(
    "every import goes downwards along the table",
    table,
    {
      breaks: imports("app/page.tsx", "@/db/client", { "db/client.ts": "" }),
      says: /app\/page\.tsx:1.*may import/,
    },
    { breaks: imports("app/page.tsx", "drizzle-orm/pg-core"), says: /never uses the ORM/ },
    { breaks: imports("middleware.ts", "@/db/client", { "db/client.ts": "" }), says: /middleware\.ts:1/ },
    {
      breaks: imports("components/cart/row.tsx", "@/lib/cart/queries", { "lib/cart/queries.ts": "" }),
      says: /may import components\/<noun>, components\/ui, contract and rules, tools only/,
      keeps: imports("components/cart/row.tsx", "@/lib/orders/contract", { "lib/orders/contract.ts": "" }),
    },
    {
      breaks: imports("components/cart/row.tsx", "@/lib/platform/log", {
        "lib/platform/log.ts": 'import { pino } from "pino";',
      }),
      says: /browser-safe tools only, and that one reaches pino/,
    },
    {
      breaks: imports("components/cart/row.tsx", "@/lib/ask", {
        "lib/ask.ts": 'import { cookies } from "next/headers";',
      }),
      says: /that one reaches next\/headers/,
    },
    { breaks: imports("components/shell/head.tsx", "next/headers"), says: /leaves cookies/ },
    {
      breaks: imports("components/ui/tag.tsx", "@/lib/cart/rules", { "lib/cart/rules.ts": "" }),
      says: /may import components\/ui, tools only/,
    },
    { breaks: imports("lib/cart/queries.ts", "next/cache"), says: /never knows Next/ },
    {
      breaks: imports("lib/cart/commands.ts", "@/components/ui/tag", { "components/ui/tag.tsx": "" }),
      says: /may import queries, commands and jobs, contract and rules, db, emails, tools only/,
    },
    {
      breaks: imports("lib/cart/rules.ts", "@/db/client", { "db/client.ts": "" }),
      says: /may import contract and rules, tools only/,
      keeps: imports("lib/cart/contract-quote.ts", "@/lib/platform/money", {
        "lib/platform/money.ts": "export const x = 1;",
      }),
    },
    {
      breaks: imports("lib/cart/rules.ts", "@/lib/platform/api/client", {
        "lib/platform/api/client.ts": 'export const x = () => fetch("/");',
      }),
      says: /pure tools only, and that one reaches fetch/,
    },
    { breaks: imports("lib/cart/contract.ts", "node:fs"), says: /does no I\/O/ },
    {
      breaks: imports("emails/keys.tsx", "@/lib/orders/queries", { "lib/orders/queries.ts": "" }),
      says: /may import emails, contract and rules, tools only/,
    },
    {
      breaks: imports("lib/platform/money.ts", "@/lib/cart/rules", { "lib/cart/rules.ts": "" }),
      says: /may import tools only/,
    },
    {
      breaks: imports("lib/platform/money.ts", "@/db/client", { "db/client.ts": "" }),
      says: /not one of the tools with a table/,
      keeps: imports("lib/platform/auth/session.ts", "@/db/client", { "db/client.ts": "" }),
    },
    {
      breaks: imports("db/schema/orders.ts", "@/lib/orders/contract", { "lib/orders/contract.ts": "" }),
      says: /rules and tools only/,
      keeps: imports("db/schema/orders.ts", "@/lib/orders/rules", { "lib/orders/rules.ts": "" }),
    },
    {
      breaks: imports("scripts/seed.ts", "@/components/ui/tag", { "components/ui/tag.tsx": "" }),
      says: /may import scripts, db, emails/,
    },
    { breaks: imports("tools/x.ts", "./y"), says: /no layer of architecture/ },
  );

  law(
    "nothing but a test or a config file imports a test",
    (tree) =>
      allImports(tree, sources(tree))
        .filter(
          ({ from, target, inside }) => inside && layerOf(target) === "tests" && layerOf(from) !== "settings",
        )
        .map((edge) => `${edge.from}:${edge.line} imports ${edge.specifier}`),
    {
      breaks: imports("scripts/seed.ts", "../tests/api/cart", { "tests/api/cart.ts": "" }),
      says: /tests\/api\/cart/,
    },
  );

  law(
    "an import goes through @/ or to a file beside it, never up and down again",
    (tree) =>
      allImports(tree, sources(tree))
        .filter(({ specifier, from }) => specifier.startsWith("../") && !from.endsWith(".mjs"))
        .map((edge) => `${edge.from}:${edge.line} imports ${edge.specifier}: write @/…`),
    { breaks: imports("lib/cart/rules.ts", "../money", { "lib/platform/money.ts": "" }), says: /write @\// },
  );

  law(
    "every file of lib and components that belongs to a noun is found by its noun",
    (tree) =>
      sources(tree)
        .filter((path) => /^lib\/[^/]+\//.test(path) && !nounOf(path))
        .map((path) => `${path}: a folder of lib is a noun of architecture.md`),
    { breaks: { "lib/checkout/rules.ts": "" }, says: /a folder of lib is a noun/ },
  );
});
