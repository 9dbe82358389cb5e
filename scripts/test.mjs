// npm test and npm run test:all: every check in order from a fresh clone, ending with "N passed, N failed". Plain Node, because it installs the packages.
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { buildWhenChanged } from "./build.mjs";
import { checkNode, ensureInstalled } from "./start/install.mjs";
import { bareEnvironment, bin, endAll, heartbeat, root, run } from "./start/run.mjs";
import { ensureBrowser } from "./test/browser.mjs";
import { clearReport, countLines, countPlaywright, countVitest } from "./test/report.mjs";

checkNode();

const all = process.argv.includes("--all");
const env = {
  ...bareEnvironment(),
  CI: "true",
  NEXT_TELEMETRY_DISABLED: "1",
  // "all": every file and journey, and every trial in full (playwright.config.ts, vitest.config.ts, tests/setup/rounds.ts).
  TEST_MATRIX: all ? "all" : "",
};
const report = (name) => join(root, ".data", "reports", `${name}.json`);
// Written by tests/setup/record-statements.ts, read by tests/statements.
const recordedStatements = join(root, ".data", "reports", "statements.jsonl");
// Written by tests/setup/run-notes.ts: a line for each test that could not run, with the reason.
const notRun = join(root, ".data", "reports", "not-run.txt");
const total = { passed: 0, failed: 0, skipped: 0 };
const failures = [];
const secondsOf = {};
const startedAt = Date.now();
let finishing = false;
let typesChecked = false;

for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(name, () => void interrupt(name));

clearReport(notRun);
if (await step("packages", ensureInstalled, { counts: false })) {
  await sideBySide({
    types,
    lint: (onLine) => succeeds(bin("biome"), ["check"], 5, onLine),
    unused: (onLine) =>
      succeeds(bin("knip"), ["--include", "files,dependencies,unlisted,unresolved"], 5, onLine),
    "architecture and rules": (onLine) => vitest(["architecture", "rules"], 10, onLine),
  });
  rmSync(recordedStatements, { force: true });
  await step("domain, api and row types", () => vitest(["domain", "api", "statements"], 60));
  const browser = await step("browser", ensureBrowser, { counts: false });
  if (await step("build", () => buildWhenChanged({ typesChecked }))) {
    if (browser) await step("journeys", () => playwright(browser));
    await step("faults", () => vitest(all ? ["faults", "lab"] : ["faults"], 40));
  }
}
await finish(total.failed > 0 || total.passed === 0 ? 1 : 0);

/**
 * Runs one step under its heading. `work` resolves to the step's counts, or to whether it succeeded. With `print`, which prints
 * what the step has written, all is printed at its end.
 */
async function step(name, work, { counts = true, print } = {}) {
  if (finishing) return false;
  const heading = `\n=== ${name}`;
  if (!print) console.log(heading);
  const startedAt = Date.now();
  const result = await work().catch((error) => console.error(error));
  if (finishing) return false;
  if (print) {
    console.log(heading);
    print();
  }
  const counted = typeof result === "object" && result !== null ? result : toCounts(result, counts);
  for (const key of Object.keys(total)) total[key] += counted[key];
  if (counted.failed > 0)
    failures.push(
      ...(counted.failures?.length ? counted.failures : [counted.note]).map((test) => `${name}: ${test}`),
    );
  secondsOf[name] = Math.round((Date.now() - startedAt) / 1000);
  const outcome =
    counted.failed > 0
      ? `FAILED: ${counted.note ?? `${counted.failed} of ${counted.passed + counted.failed}`}`
      : "ok";
  console.log(`--- ${name} ${outcome} (${seconds(startedAt)} s)`);
  return typeof result === "object" ? counted.failed === 0 : result;
}

/** Runs independent steps in parallel. Each prints its output when it has ended. */
async function sideBySide(steps) {
  console.log(`\n=== side by side: ${Object.keys(steps).join(", ")}`);
  const running = new Set(Object.keys(steps));
  const stop = heartbeat(() => [...running].join(", "));
  await Promise.all(
    Object.entries(steps).map(async ([name, work]) => {
      const lines = [];
      const print = () => lines.length > 0 && console.log(lines.join("\n"));
      await step(name, () => work((line) => lines.push(line)), { print });
      running.delete(name);
    }),
  );
  stop();
}

/** Types, lint and build count as one test each; installing packages and a browser counts only when it fails. */
function toCounts(succeeded, counts) {
  return { passed: succeeded && counts ? 1 : 0, failed: succeeded ? 0 : 1, skipped: 0, note: "see above" };
}

function seconds(since) {
  return ((Date.now() - since) / 1000).toFixed(1);
}

async function succeeds(command, args, limitMinutes, onLine) {
  return (await run(command, args, { env, limitMinutes, group: true, onLine })) === 0;
}

async function types(onLine) {
  // Types written by an earlier development server may name deleted pages.
  rmSync(join(root, ".next", "dev", "types"), { recursive: true, force: true });
  if (existsSync(join(root, "app")) && !(await succeeds(bin("next"), ["typegen"], 5, onLine))) return false;
  typesChecked = await succeeds(bin("tsc"), ["--noEmit"], 10, onLine);
  return typesChecked;
}

async function vitest(projects, limitMinutes, onLine) {
  const path = report(projects.join("-"));
  const runErrors = `${path}.errors`;
  clearReport(path);
  clearReport(runErrors);
  const args = [
    "run",
    ...projects.flatMap((project) => ["--project", project]),
    "--reporter=default",
    "--reporter=json",
    "--reporter=tests/setup/run-notes.ts",
    `--outputFile.json=${path}`,
  ];
  const variables = { ...env, RUN_ERRORS_FILE: runErrors, NOT_RUN_FILE: notRun };
  const code = await run(bin("vitest"), args, { env: variables, limitMinutes, group: true, onLine });
  return countVitest(path, code, runErrors);
}

async function playwright(browser) {
  const path = report("journeys");
  clearReport(path);
  const variables = { ...env, PLAYWRIGHT_CHROMIUM_PATH: browser, PLAYWRIGHT_JSON_OUTPUT_FILE: path };
  const options = { env: variables, limitMinutes: all ? 60 : 30, group: true };
  return countPlaywright(path, await run(bin("playwright"), ["test", "--reporter=list,json"], options));
}

async function interrupt(name) {
  if (finishing) return;
  console.error(`\nInterrupted by ${name}.`);
  total.failed++;
  await finish(name === "SIGINT" ? 130 : 143);
}

/** Ends running commands, removes databases of killed runs, and prints the closing line. */
async function finish(code) {
  if (finishing) return new Promise(() => {}); // the steps continue while an interruption cleans up
  finishing = true;
  await endAll();
  if (existsSync(bin("tsx"))) {
    const sweep =
      'const { sweepTestDatabases } = await import("./scripts/postgres/database.ts"); await sweepTestDatabases();';
    await run(process.execPath, ["--import", "tsx", "--input-type=module", "-e", sweep], {
      env,
      limitMinutes: 2,
    });
  }
  const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : "";
  if (failures.length > 0) console.log(`\nFailed:\n  ${failures.join("\n  ")}`);
  for (const [reason, count] of countLines(notRun)) console.log(`${count} not run: ${reason}`);
  console.log(
    `\nSeconds: ${Object.entries(secondsOf)
      .map(([name, value]) => `${name} ${value}`)
      .join("; ")}`,
  );
  console.log(`Took ${(Number(seconds(startedAt)) / 60).toFixed(1)} minutes.`);
  console.log(`${total.passed} passed, ${total.failed} failed${skipped}`);
  process.exit(code);
}
