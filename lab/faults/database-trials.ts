import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { repositoryRoot } from "@/scripts/start/server-process";
import { testEnvironment } from "@/tests/setup/environment";
import { openProxy } from "@/tests/setup/proxy";
import { sleep } from "@/tests/setup/shopper";
import { DebianPostgres, hasDebianPostgres, MISSING_PACKAGES } from "./debian-postgres";
import { shopUrl } from "./debian-processes";
import { runTrial, type TrialResult } from "./table";

type Part = [name: string, run: () => Promise<TrialResult>];
type Result = Record<string, unknown>;
type Options = { dataDir: string; seed: number; size: number };

/** The parts that need Debian's Postgres and PgBouncer. Without them, each is one violation that says so. */
export function databaseTrials({ dataDir, seed, size }: Options): { parts: Part[]; stop(): void } {
  let started: Promise<DebianPostgres> | undefined;
  const start = () => {
    if (!hasDebianPostgres()) throw new Error(`This part ${MISSING_PACKAGES}.`);
    started ??= startMigrated(join(dataDir, "debian"));
    return started;
  };
  const n = (full: number) => Math.max(1, Math.round(full * size));
  const part = (
    name: string,
    invariant: string,
    trial: string,
    run: (postgres: DebianPostgres, result: TrialResult) => Promise<void>,
  ): Part => [
    `databases-${name}`,
    () => runTrial({ invariant, trial, seed }, async (result) => run(await start(), result)),
  ];
  return {
    parts: [
      part(
        "addresses",
        "Both drivers read an address the same way",
        "an address with or without TLS by a private CA, by one driver",
        tryAddresses,
      ),
      part(
        "pooler",
        "A pooler in place of Postgres ends a start with one sentence",
        "a migration or a worker whose direct address leads through PgBouncer",
        tryStarts,
      ),
      part(
        "freshness",
        "A page is not confirmed as current without the notifications of all earlier changes",
        "a price changed through PgBouncer among other clients",
        (postgres, result) => tryNotifications(postgres, result, n(1_000)),
      ),
      part(
        "worker",
        "The job of a killed worker runs again, also when requests go through a pooler",
        "a worker killed while it runs a job",
        (postgres, result) => killWorkers(postgres, result, n(3)),
      ),
      part(
        "replica",
        "A replica is read while it is at most ten seconds behind; pages never show an older state",
        "a price changed and read, while the replica runs, is paused, runs again, is stopped and is killed",
        (postgres, result) => tryReplica(postgres, result, Math.max(3, n(10))),
      ),
      part(
        "failover",
        "Writes go on at the new primary",
        "a primary killed, its standby promoted two seconds later, and the one address led there",
        (postgres, result) => failOver(postgres, result, n(5)),
      ),
    ],
    stop: () => void started?.then((postgres) => postgres.stop()).catch(() => {}),
  };
}

async function startMigrated(folder: string): Promise<DebianPostgres> {
  const postgres = await DebianPostgres.start(folder);
  const { code, output } = await runNode(["scripts/migrate.ts"], { DATABASE_URL: postgres.url() });
  if (code !== 0) throw new Error(`not migrated: ${output}`);
  return postgres;
}

type Variables = Record<string, string>;
const startNode = (args: string[], variables: Variables): ChildProcess =>
  spawn(process.execPath, ["--import", "tsx", ...args], {
    cwd: repositoryRoot,
    env: {
      ...process.env,
      ...testEnvironment,
      DATABASE_DIRECT_URL: "",
      DATABASE_POOL: "8",
      ...variables,
    } as NodeJS.ProcessEnv,
    stdio: ["pipe", "pipe", "pipe"],
  });

async function runNode(args: string[], variables: Variables) {
  const child = startNode(args, variables);
  let output = "";
  for (const stream of [child.stdout!, child.stderr!])
    stream.on("data", (chunk) => {
      output += chunk;
    });
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, output };
}

/** Starts databases-run.ts; `lines` are its results. */
function startTask(task: string, args: string[], variables: Variables) {
  const child = startNode(["lab/faults/databases-run.ts", task, ...args], variables);
  const lines: Result[] = [];
  const waiting = new Set<() => void>();
  let errors = "";
  child.stderr!.on("data", (chunk) => {
    errors += chunk;
  });
  createInterface({ input: child.stdout! }).on("line", (line) => {
    if (line.startsWith("{")) lines.push(JSON.parse(line) as Result);
    for (const tell of waiting) tell();
  });
  const ended = new Promise<void>((resolve, reject) => {
    child.once("close", (code, signal) =>
      code === 0 || signal === "SIGKILL" ? resolve() : reject(new Error(`${task}: ${errors.slice(0, 1500)}`)),
    );
  });
  ended.catch(() => {});
  return {
    lines,
    ended,
    kill: () => child.kill("SIGKILL"),
    /** Resolves with the first line that has this name. */
    async waitFor(name: string): Promise<Result> {
      for (;;) {
        const found = lines.find((line) => name in line);
        if (found) return found;
        await Promise.race([ended, new Promise<void>((resolve) => waiting.add(resolve))]);
        if (child.exitCode !== null && !lines.some((line) => name in line))
          throw new Error(`${task} ended: ${errors}`);
      }
    },
    async end(): Promise<Result> {
      child.stdin!.write("end\n");
      await ended;
      return lines.at(-1) ?? {};
    },
  };
}

async function runTask(task: string, args: string[], variables: Variables): Promise<Result[]> {
  const { ended, lines } = startTask(task, args, variables);
  await ended;
  return lines;
}

async function tryAddresses(postgres: DebianPostgres, result: TrialResult): Promise<void> {
  const tls = (ca: string, mode = "verify-full") => `sslmode=${mode}&sslrootcert=${postgres.file(ca)}`;
  const primary = { port: postgres.nodes[0].port, standby: false };
  const cases: [url: string, expected: Result | RegExp][] = [
    [postgres.url(), { ...primary, tls: false }],
    [postgres.url({ host: "localhost", query: tls("ca.pem") }), { ...primary, tls: true }],
    [postgres.url({ query: tls("ca.pem") }), /does not match/],
    [postgres.url({ query: tls("ca.pem", "verify-ca") }), { ...primary, tls: true }],
    [postgres.url({ query: "sslmode=require" }), { ...primary, tls: true }],
    [postgres.url({ host: "localhost", query: tls("other.pem") }), /unable to verify/],
    [postgres.url({ host: "localhost", query: tls("other.pem", "verify-ca") }), /unable to verify/],
    [postgres.url().replace("s3cret", "wrong"), /password authentication failed/],
  ];
  for (const [url, expected] of cases) {
    const rows = await runTask("connect", [url], { DATABASE_URL: postgres.url() });
    result.trials += rows.length;
    if (rows.length !== 3) result.violations.push(`${url}: ${rows.length} drivers answered`);
    for (const { driver, ...row } of rows) {
      const isExpected =
        expected instanceof RegExp
          ? expected.test(String(row.error))
          : Object.entries(expected).every(([name, value]) => row[name] === value);
      if (!isExpected) result.violations.push(`${driver}, ${url}: ${JSON.stringify(row)}`);
    }
  }
}

async function tryStarts(postgres: DebianPostgres, result: TrialResult): Promise<void> {
  const [direct, pooler] = [postgres.url(), postgres.poolerUrl()];
  for (const script of ["scripts/migrate.ts", "scripts/work.ts"])
    for (const variables of [
      { DATABASE_URL: pooler },
      { DATABASE_URL: direct, DATABASE_DIRECT_URL: pooler },
    ] as Variables[]) {
      const { code, output } = await runNode([script], variables);
      result.trials += 1;
      if (code !== 1 || !/transaction pooler.*DATABASE_DIRECT_URL must then be/.test(output))
        result.violations.push(`${script} ended with ${code}: ${output}`);
    }
}

async function tryNotifications(
  postgres: DebianPostgres,
  result: TrialResult,
  changes: number,
): Promise<void> {
  const variables = { DATABASE_URL: postgres.poolerUrl(), DATABASE_DIRECT_URL: postgres.url() };
  const [line] = await runTask("notifications", [String(changes)], variables);
  result.trials = changes;
  if (line?.missed !== 0 || line.unconfirmed !== 0) result.violations.push(JSON.stringify(line));
  const [broken] = await runTask("notifications", ["20", postgres.poolerUrl()], variables);
  if (broken?.unconfirmed !== 20)
    result.violations.push(`a listener through the pooler: ${JSON.stringify(broken)}`);
  result.brokenVariant = `a listener through the pooler was not confirmed for ${broken?.unconfirmed} of 20 changes: detected`;
}

async function killWorkers(postgres: DebianPostgres, result: TrialResult, rounds: number): Promise<void> {
  const variables = { DATABASE_URL: postgres.poolerUrl(), DATABASE_DIRECT_URL: postgres.url() };
  for (let round = 0; round < rounds; round++) {
    await runTask("enqueue", [], variables);
    const first = startTask("worker", ["600000"], variables);
    await first.waitFor("running");
    const second = startTask("worker", ["0"], variables);
    await sleep(6_000);
    if (second.lines.length > 0) result.violations.push("a job of a live worker ran twice");
    first.kill();
    const killedAt = performance.now();
    const isRunAgain = await Promise.race([second.waitFor("running"), sleep(30_000)]);
    if (!isRunAgain) result.violations.push("the job of a killed worker did not run within 30 s");
    result.recoveryMs.push(performance.now() - killedAt);
    result.trials += 1;
    await sleep(500);
    second.kill();
  }
}

const MAX_LAG_MS = 10_000;

/** Pauses the replay of the standby, so that it is seconds behind, and then stops its process. */
async function tryReplica(postgres: DebianPostgres, result: TrialResult, seconds: number): Promise<void> {
  const variables = { DATABASE_URL: postgres.url(), DATABASE_REPLICA_URL: postgres.url({ node: 1 }) };
  const task = startTask("reads", [], variables);
  await task.waitFor("changes");
  const phase = async () => {
    const from = task.lines.length + 1;
    await sleep(seconds * 1000);
    const lines = task.lines.slice(from);
    const sum = (name: string) => lines.reduce((total, line) => total + Number(line[name]), 0);
    const max = (name: string) => Math.max(0, ...lines.map((line) => Number(line[name])));
    return {
      changes: sum("changes"),
      replica: sum("replica"),
      oldestMs: max("oldestMs"),
      slowestMs: max("slowestMs"),
    };
  };
  const running = await phase();
  const standby = await connectStandby(postgres);
  await standby.query("select pg_wal_replay_pause()");
  const paused = await phase();
  await sleep(MAX_LAG_MS);
  const behind = await phase();
  await standby.query("select pg_wal_replay_resume()");
  await standby.end();
  await sleep(3_000);
  const resumed = await phase();
  postgres.signalNode(1, "SIGSTOP");
  await sleep(1_000);
  const stopped = await phase();
  postgres.signalNode(1, "SIGCONT");
  postgres.killNode(1);
  await sleep(1_000);
  const killed = await phase();
  await task.end();
  postgres.startNode(1);
  for (const line of task.lines) {
    result.trials += Number(line.changes);
    if (Number(line.stale) > 0 || Number(line.oldestMs) > MAX_LAG_MS + 1_000)
      result.violations.push(`stale reads: ${JSON.stringify(line)}`);
  }
  for (const [name, { replica, changes }] of Object.entries({ running, paused, resumed }))
    if (replica < changes * 0.9)
      result.violations.push(`${name}: ${replica} of ${changes} reads from the replica`);
  for (const [name, { replica, changes }] of Object.entries({ behind, stopped, killed }))
    if (changes === 0 || replica > 0)
      result.violations.push(`${name}: ${replica} of ${changes} reads from the replica`);
  if (paused.oldestMs < 1_000) result.violations.push("no read from the paused replica was old");
  result.brokenVariant =
    `${running.replica} of ${running.changes} reads came from the replica, slowest ${running.slowestMs} ms; ` +
    `paused: up to ${paused.oldestMs} ms old; stopped: slowest ${stopped.slowestMs} ms; killed: slowest ${killed.slowestMs} ms`;
}

async function connectStandby(postgres: DebianPostgres) {
  const { connectClient } = await import("@/db/connect-pg");
  return connectClient(postgres.url({ node: 1 }));
}

/** All connections go through one proxy, as through haproxy with `on-marked-down shutdown-sessions`. */
async function failOver(postgres: DebianPostgres, result: TrialResult, rounds: number): Promise<void> {
  const proxy = await openProxy(postgres.nodes[0].port);
  let primary = 0;
  for (let round = 0; round < rounds; round++) {
    const standby = 1 - primary;
    const task = startTask("writes", [], { DATABASE_URL: shopUrl(proxy.port) });
    await task.waitFor("writing");
    await sleep(2_000);
    postgres.killNode(primary);
    await sleep(2_000);
    postgres.promote(standby);
    proxy.lead(postgres.nodes[standby]!.port);
    await sleep(6_000);
    const { gapMs, written, failed } = await task.end();
    result.trials += 1;
    result.recoveryMs.push(Number(gapMs));
    if (Number(gapMs) > 8_000 || Number(written) < 40)
      result.violations.push(`round ${round}: ${JSON.stringify({ gapMs, written, failed })}`);
    postgres.cloneStandby(primary, standby);
    primary = standby;
  }
  await proxy.close();
  result.brokenVariant = "recovery counts from the kill, two seconds before the promotion";
}
