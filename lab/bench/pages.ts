import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { resolve } from "node:path";
import { type Browser, chromium } from "@playwright/test";
import { SURFACES, type Surface } from "@/lib/platform/routing/paths";
import { startTestDatabase } from "@/scripts/postgres/database";
import { freePort } from "@/scripts/start/ports";
import { prepareDatabase, repositoryRoot } from "@/scripts/start/server-process";
import { findBrowser } from "@/scripts/test/browser.mjs";
import { testEnvironment } from "@/tests/setup/environment";
import { startTestServer } from "@/tests/setup/shop";
import { BARS, listVisits, PAGE_KINDS, type Visit } from "./pages-kinds";
import { type Category, type LighthouseResult, runLighthouse } from "./pages-lighthouse";
import { openProducts } from "./pages-opening";
import { measureSize, type PageSize } from "./pages-weight";

/**
 * npm run bench:pages [-- --only=home,product] [--locales=en] [--surfaces=desktop] [--no-lighthouse] [--write]: measures
 * every kind of page in three languages on both surfaces with Lighthouse, its size and requests, and how fast a product
 * opens from a list. `--write` updates the table in docs/performance.md.
 */
const readOption = (name: string) =>
  process.argv
    .find((argument) => argument.startsWith(`--${name}=`))
    ?.split("=")[1]
    ?.split(",");
const hasFlag = (name: string) => process.argv.includes(`--${name}`);
const [only, locales, surfaces] = [readOption("only"), readOption("locales"), readOption("surfaces")];

type Row = Visit & PageSize & { lighthouse: LighthouseResult | null };

/** The cookies of a new signed-in user with one pass in the cart. */
async function createBuyer(origin: string): Promise<string> {
  const call = async (path: string, body: object, cookie = "") => {
    const response = await fetch(`${origin}/api/v1${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", origin, cookie },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.headers.getSetCookie().map((cookie) => cookie.split(";", 1)[0] ?? "");
  };
  const fields = { user_email: "bench@example.com", user_password: "bench-of-pages-1", username: "Bench" };
  const cookie = (await call("/auth/register/direct", { ...fields, target_lang: "en" })).join("; ");
  await call("/cart/add", { product_id: 1001, vip_id: 5001, quantity: 1 }, cookie);
  return cookie;
}

async function visitAll(origin: string, browser: Browser, port: number): Promise<Row[]> {
  const buyerCookie = await createBuyer(origin);
  const kinds = PAGE_KINDS.filter(({ name }) => only?.includes(name) ?? true);
  const rows: Row[] = [];
  for (const visit of listVisits(origin, kinds)) {
    if (!(locales?.includes(visit.locale) ?? true) || !(surfaces?.includes(visit.surface) ?? true)) continue;
    const cookie = visit.kind.signedIn ? buyerCookie : "";
    const size = await measureSize(visit, browser, cookie);
    const lighthouse = hasFlag("no-lighthouse") ? null : await runLighthouse(visit, port, cookie);
    const row = { ...visit, ...size, lighthouse };
    rows.push(row);
    console.log(`${visit.locale} ${visit.surface}: ${toCells([row]).join(" | ")}`);
  }
  return rows;
}

const COLUMNS = [
  "Page",
  "Performance desktop/mobile",
  "Other scores below 100",
  "Requests",
  "After 5 s",
  "JS kB",
  "HTML kB",
  "Holds",
];
const listProblems = ({ problems, lighthouse }: Row) => [...problems, ...(lighthouse?.problems ?? [])];

/** Pages of one kind in one line, with the worst figure of their languages and surfaces. */
function toCells(rows: Row[]): string[] {
  const lowest = (category: Category, surface?: Surface) => {
    const scores = rows
      .filter((row) => row.lighthouse && (!surface || row.surface === surface))
      .map(({ lighthouse }) => lighthouse!.scores[category]);
    return scores.length > 0 ? Math.min(...scores) : undefined;
  };
  const others = (["accessibility", "best-practices", "seo"] as const)
    .map((category) => ({ category, score: lowest(category) ?? 100 }))
    .filter(({ score }) => score < 100);
  const highest = (get: (row: Row) => number) => Math.max(...rows.map(get));
  const problems = [...new Set(rows.flatMap(listProblems))];
  return [
    rows[0]!.kind.name,
    SURFACES.map((surface) => lowest("performance", surface) ?? "–").join("/"),
    others.map(({ category, score }) => `${category} ${score}`).join(", ") || "–",
    String(highest(({ requests }) => requests)),
    String(highest(({ idleRequests }) => idleRequests)),
    (highest(({ javascript }) => javascript) / 1000).toFixed(1),
    (highest(({ html }) => html) / 1000).toFixed(1),
    problems.length === 0 ? "yes" : `**no**: ${problems.join(", ")}`,
  ];
}

const byKind = (rows: Row[]) =>
  PAGE_KINDS.map((kind) => rows.filter((row) => row.kind === kind)).filter((group) => group.length > 0);

const renderTable = (head: string[], rows: string[][]) =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

function writeTable(text: string): void {
  const path = resolve(repositoryRoot, "docs/performance.md");
  const [before = "", after = ""] = readFileSync(path, "utf8").split("<!-- pages -->");
  const rest = after.split("<!-- /pages -->")[1] ?? "\n";
  writeFileSync(path, `${before}<!-- pages -->\n\n${text}\n\n<!-- /pages -->${rest}`);
}

async function measure(origin: string): Promise<boolean> {
  const port = await freePort();
  const args = [
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
  ];
  if (process.getuid?.() === 0) args.push("--no-sandbox");
  const browser = await chromium.launch({
    executablePath: await findBrowser(),
    args: [...args, `--remote-debugging-port=${port}`],
  });
  const load = loadavg()[0]?.toFixed(1);
  const rows = await visitAll(origin, browser, port);
  const openings = [
    await openProducts(browser, origin, "hover"),
    await openProducts(browser, origin, "touch"),
  ];
  await browser.close();
  const openingRows = openings.map(({ intent, ms, slowest, documents }) => {
    const holds = ms <= BARS.openingMs && documents === 0;
    const figures = [`${ms.toFixed(0)} ms`, `${slowest.toFixed(0)} ms`, String(documents)];
    return [`a product from a list, after a ${intent}`, ...figures, holds ? "yes" : "**no**"];
  });
  const facts = `${new Date().toISOString().slice(0, 10)}; ${cpus().length} × ${cpus()[0]?.model.trim()}; load average before ${load}, after ${loadavg()[0]?.toFixed(1)}.`;
  const openingHead = ["Opening", "Median", "Slowest", "New documents", "Holds"];
  const text = `${renderTable(COLUMNS, byKind(rows).map(toCells))}\n\n${renderTable(openingHead, openingRows)}\n\n${facts}`;
  console.log(`\n${text}`);
  if (hasFlag("write")) writeTable(text);
  return (
    rows.every((row) => listProblems(row).length === 0) && openingRows.every((row) => row.at(-1) === "yes")
  );
}

const database = await startTestDatabase("pages");
let holds = false;
try {
  const env = { ...process.env, ...testEnvironment, DATABASE_URL: database.url, DATA_DIR: database.dataDir };
  await prepareDatabase(env);
  mkdirSync("test-results", { recursive: true });
  const server = await startTestServer({
    databaseUrl: database.url,
    dataDir: database.dataDir,
    log: "test-results/pages.log",
  });
  try {
    holds = await measure(server.address);
  } finally {
    await server.stop();
  }
} finally {
  await database.stop();
}
process.exit(holds ? 0 : 1);
