import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { hasReducedHaCounts } from "@/lab/ha/trials";
import { removeDatabase, startDatabase } from "@/scripts/postgres/database";
import { readJson, takeLock } from "@/scripts/start/process-lock";
import { prepareDatabase } from "@/scripts/start/server-process";
import { testEnvironment } from "@/tests/setup/environment";
import { runDir } from "./deployment";
import { startMailServer } from "./mail-server";
import { recordResult, toRow } from "./record";
import { renderTable } from "./table";

/**
 * npm run faults [-- --write] [--only=part,…] [--size=0.1] [--name=second]: runs all trials of
 * docs/reliability.md#what-must-hold and prints one table. `--write` replaces the rows of these parts in docs/faults.md.
 * Concurrent runs need different names. Random kills stop after `--minutes`; `--add` with another SALE_SEED continues them.
 */
const flag = (name: string) =>
  process.argv.find((argument) => argument.startsWith(`--${name}`))?.replace(/^--\w+=?/, "");
const size = Number(flag("size") || 1);
const only = flag("only")?.split(",");
const minutes = Number(flag("minutes") || Number.POSITIVE_INFINITY);
const seed = Number(process.env.SALE_SEED ?? 20261121);

const add = process.argv.includes("--add");
const write = process.argv.includes("--write");
if (write && (size !== 1 || hasReducedHaCounts()))
  throw new Error("docs/faults.md holds full runs only: --write goes with --size=1.");
const name = flag("name");
const dataDir = runDir(name ? `faults-${name}` : "faults");
mkdirSync(dirname(dataDir), { recursive: true });
const lock = takeLock(`${dataDir}.lock`, {});
if (!("release" in lock)) throw new Error(`Another run is active (process ${lock.heldBy.pid}).`);
await removeDatabase(dataDir); // left by an interrupted run
mkdirSync(dataDir, { recursive: true });
const start = Date.now();
// Durable, because confirmed commits must survive kill -9.
const database = await startDatabase({ dataDir, durable: true, say: () => {} });
const mail = await startMailServer();
Object.assign(process.env, testEnvironment, {
  DATABASE_URL: database.url,
  DATA_DIR: dataDir,
  MAIL_MODE: "resend",
  RESEND_API_KEY: "re_faults",
  RESEND_BASE_URL: `http://127.0.0.1:${mail.port}`,
});
await prepareDatabase(process.env, { catalog: false, account: false });
const { closeDatabase } = await import("@/db/client");
const { runAll } = await import("./run-all");
const cluster = readJson<{ cluster: string }>(join(dataDir, "postgres.json"))?.cluster ?? "";
let failed = false;
try {
  const run = await runAll({
    size,
    seed,
    onResult: write ? (part, result) => recordResult(part, result, add) : undefined,
    until: start + minutes * 60_000,
    only,
    databaseUrl: database.url,
    dataDir,
    mail,
    postgres: {
      cluster,
      async restart() {
        await startDatabase({ dataDir, port: database.port, say: () => {} });
        await closeDatabase(); // connections of this process may be broken too
      },
    },
  });
  const results = [...run.results.values()];
  const duration = ((Date.now() - start) / 60_000).toFixed(1);
  console.log(`\n${renderTable(results.map(toRow))}\n\n${run.balancer}, ${duration} minutes, size ${size}.`);
  failed = results.some((result) => result.violations.length > 0);
} catch (error) {
  console.error(error);
  failed = true;
} finally {
  if (failed) console.error(`The database and the logs remain in ${dataDir}.`);
  else await removeDatabase(dataDir).catch(() => {});
  if (failed) await database.stop().catch(() => {});
}
lock.release();
process.exit(failed ? 1 : 0);
