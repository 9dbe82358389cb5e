import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { resolve } from "node:path";
import { type Browser, chromium } from "@playwright/test";
import { findBrowser } from "../../scripts/browser.mjs";
import { startTestDatabase } from "../../scripts/database";
import { freePort } from "../../scripts/ports";
import { fillDatabase, tree } from "../../scripts/server-process";
import { testEnvironment } from "../setup/environment";
import { startTestServer } from "../setup/shop";
import { BARS, KINDS, type Visit, visitsOf } from "./pages-kinds";
import { type Judged, judge } from "./pages-lighthouse";
import { openProducts } from "./pages-opening";
import { type Weight, weigh } from "./pages-weight";

/**
 * npm run bench:pages [-- --only=home,product] [--locales=en] [--surfaces=desktop] [--no-lighthouse] [--write]: every
 * kind of page in three languages on both surfaces, with Lighthouse, its weight and its requests, and how fast a
 * product opens from a list. `--write` puts the table into docs/performance.md.
 */
const flag = (name: string) =>
  process.argv
    .find((argument) => argument.startsWith(`--${name}=`))
    ?.split("=")[1]
    ?.split(",");
const has = (name: string) => process.argv.includes(`--${name}`);
const [only, locales, surfaces] = [flag("only"), flag("locales"), flag("surfaces")];

type Row = Visit & Weight & { judged: Judged | null };

/** The cookies of somebody new, signed in, with one pass in the cart. */
async function buyer(origin: string): Promise<string> {
  const call = async (path: string, body: object, cookie = "") => {
    const answer = await fetch(`${origin}/api/v1${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", origin, cookie },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.headers.getSetCookie().map((one) => one.split(";", 1)[0] ?? "");
  };
  const fields = { user_email: "bench@example.com", user_password: "bench-of-pages-1", username: "Bench" };
  const cookie = (await call("/auth/register/direct", { ...fields, target_lang: "en" })).join("; ");
  await call("/cart/add", { product_id: 1001, vip_id: 5001, quantity: 1 }, cookie);
  return cookie;
}

async function visitAll(origin: string, browser: Browser, port: number): Promise<Row[]> {
  const person = await buyer(origin);
  const kinds = KINDS.filter(({ name }) => only?.includes(name) ?? true);
  const rows: Row[] = [];
  for (const visit of visitsOf(origin, kinds)) {
    if (!(locales?.includes(visit.locale) ?? true) || !(surfaces?.includes(visit.surface) ?? true)) continue;
    const cookie = visit.kind.person ? person : "";
    const weight = await weigh(visit, browser, cookie);
    const judged = has("no-lighthouse") ? null : await judge(visit, port, cookie);
    const row = { ...visit, ...weight, judged };
    rows.push(row);
    console.log(cellsOf(row).join(" | "));
  }
  return rows;
}

const HEAD = [
  "Page",
  "Performance",
  "Accessibility",
  "Best practices",
  "SEO",
  "Requests",
  "after 5 s",
  "JS kB",
  "HTML kB",
  "Holds",
];
const faultsOf = ({ faults, judged }: Row) => [...faults, ...(judged?.faults ?? [])];

function cellsOf(row: Row): string[] {
  const scores = row.judged?.scores;
  const faults = faultsOf(row);
  return [
    `${row.kind.name} ${row.locale} ${row.surface}`,
    ...(["performance", "accessibility", "best-practices", "seo"] as const).map((name) =>
      String(scores?.[name] ?? "–"),
    ),
    String(row.requests),
    String(row.idleRequests),
    (row.javascript / 1000).toFixed(1),
    (row.html / 1000).toFixed(1),
    faults.length === 0 ? "yes" : `**no**: ${faults.join(", ")}`,
  ];
}

const tableOf = (head: string[], rows: string[][]) =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

function writeTable(text: string): void {
  const path = resolve(tree, "docs/performance.md");
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
  const opened = openings.map(({ intent, ms, slowest, documents }) => {
    const holds = ms <= BARS.openingMs && documents === 0;
    const figures = [`${ms.toFixed(0)} ms`, `${slowest.toFixed(0)} ms`, String(documents)];
    return [`a product from a list, after a ${intent}`, ...figures, holds ? "yes" : "**no**"];
  });
  const facts = `${new Date().toISOString().slice(0, 10)}; ${cpus().length} × ${cpus()[0]?.model.trim()}; load average before ${load}, after ${loadavg()[0]?.toFixed(1)}.`;
  const openingHead = ["Opening", "Median", "Slowest", "New documents", "Holds"];
  const text = `${tableOf(HEAD, rows.map(cellsOf))}\n\n${tableOf(openingHead, opened)}\n\n${facts}`;
  console.log(`\n${text}`);
  if (has("write")) writeTable(text);
  return rows.every((row) => faultsOf(row).length === 0) && opened.every((row) => row.at(-1) === "yes");
}

const database = await startTestDatabase("pages");
let held = false;
try {
  const env = { ...process.env, ...testEnvironment, DATABASE_URL: database.url, DATA_DIR: database.dataDir };
  await fillDatabase(env);
  mkdirSync("test-results", { recursive: true });
  const shop = await startTestServer({
    databaseUrl: database.url,
    dataDir: database.dataDir,
    log: "test-results/pages.log",
  });
  try {
    held = await measure(shop.address);
  } finally {
    await shop.stop();
  }
} finally {
  await database.stop();
}
process.exit(held ? 0 : 1);
