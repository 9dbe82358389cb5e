import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { removeDatabase, startDatabase } from "../../scripts/database";
import { readJson, takeLock } from "../../scripts/process-lock";
import { prepareDatabase } from "../../scripts/server-process";
import { testEnvironment } from "../setup/environment";
import { startMailServer } from "./mail-server";
import { record, rowOfLine } from "./record";
import { standDir } from "./deployment";
import { tableOf } from "./table";

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
if (write && size !== 1) throw new Error("docs/faults.md holds full runs only: --write goes with --size=1.");
const name = flag("name");
const dataDir = standDir(name ? `faults-${name}` : "faults");
mkdirSync(dirname(dataDir), { recursive: true });
const lock = takeLock(`${dataDir}.lock`, {});
if (!("release" in lock)) throw new Error(`Another run is under way (process ${lock.heldBy.pid}).`);
await removeDatabase(dataDir); // left by an interrupted run
mkdirSync(dataDir, { recursive: true });
const began = Date.now();
// Durable, because confirmed commits must survive kill -9.
const database = await startDatabase({ dataDir, durable: true, say: () => {} });
const mail = await startMailServer();
Object.assign(process.env, testEnvironment, {
  DATABASE_URL: database.url,
  DATA_DIR: dataDir,
  MAIL_MODE: "resend",
  RESEND_API_KEY: "re_stand",
  RESEND_BASE_URL: `http://127.0.0.1:${mail.port}`,
});
await prepareDatabase(process.env, { catalog: false, account: false });
const { closeDatabase } = await import("@/db/client");
const { PARTS, runAll } = await import("./run-all");
const cluster = readJson<{ cluster: string }>(join(dataDir, "postgres.json"))?.cluster ?? "";
let failed = false;
try {
  const result = await runAll({
    size,
    seed,
    onLine: write ? (part, line) => record(part, line, PARTS, add) : undefined,
    until: began + minutes * 60_000,
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
  const lines = [...result.lines.values()];
  const took = ((Date.now() - began) / 60_000).toFixed(1);
  console.log(`\n${tableOf(lines.map(rowOfLine))}\n\n${result.place}, ${took} minutes, size ${size}.`);
  failed = lines.some((line) => line.violations.length > 0);
} catch (error) {
  console.error(error);
  failed = true;
} finally {
  if (failed) console.error(`The database and the logs are kept in ${dataDir}.`);
  else await removeDatabase(dataDir).catch(() => {});
  if (failed) await database.stop().catch(() => {});
}
lock.release();
process.exit(failed ? 1 : 0);
