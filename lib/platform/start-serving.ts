import type { Server } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { closeDatabase, closeDatabaseAtOnce } from "@/db/client";
import { DatabaseMonitor } from "@/db/monitor";
import { waitForDatabase } from "@/db/wait-for-database";
import { env } from "./env";
import { prepareRequests } from "./http/prepare-requests";
import { log } from "./log";
import { PageCache } from "./page-cache/page-cache";
import { processState } from "./process-state";
import { watchShopClosure } from "./shop-closure";
import { startTelemetry } from "./telemetry/start";
import { stopTelemetry } from "./telemetry/telemetry";

/** How long running requests may take to end. */
const DRAIN_MS = 6_000;
/** A second signal within this time is the same one, forwarded by the parent process. */
const SAME_SIGNAL_MS = 1_000;

type Options = {
  /** Checks before the first request. One that throws ends the process with its message. */
  checks: (() => Promise<unknown>)[];
};

/** Prepares this process to serve the shop. Next waits for it before the first request. */
export async function startServing({ checks }: Options): Promise<void> {
  const servers = new Set<Server>();
  prepareRequests((server) => {
    if (!servers.has(server)) setTimeLimits(server);
    servers.add(server);
  });
  try {
    await startTelemetry("server");
    const { ACCESS_LOG, METRICS_PORT, PAGE_CACHE_MB, DEV } = env();
    // Before the first statement, so that all pools are observed.
    if (METRICS_PORT !== undefined) await startProcessMetrics(METRICS_PORT);
    if (ACCESS_LOG === "on") (await import("./telemetry/access-log")).startAccessLog();
    for (const check of checks) await waitForDatabase(check, { say: (line) => log.warn({}, line) });
    const database = DatabaseMonitor.start();
    processState.database = database;
    // Statements that wait would end no earlier than the database answers.
    database.onDown(() => void closeDatabaseAtOnce());
    // Connections from before may lead to a server that is gone, or no longer the primary.
    database.onUp(() => void closeDatabase());
    if (!DEV) {
      processState.pages = new PageCache(PAGE_CACHE_MB * 1024 * 1024, database);
      await processState.pages.open();
    }
    watchShopClosure();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
  const stop = stopOnSignals(servers);
  // Output that cannot be written, for example to a full disk, must not end the server.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  process.on("uncaughtException", (error) => {
    log.error({ err: error }, "uncaught exception");
    void stop("uncaughtException");
  });
}

/**
 * Starts the metrics of a serving process. A worker reports those of the database (scripts/start/worker-metrics.ts).
 */
async function startProcessMetrics(port: number): Promise<void> {
  const { startMetrics } = await import("./telemetry/metrics");
  const { servingGauges } = await import("./telemetry/serving-gauges");
  await startMetrics({ port, host: env().METRICS_HOST, gauges: servingGauges() });
  log.info({ port }, "serving metrics");
}

/**
 * nginx has its own limits. These end hanging requests where there is no nginx, and keep idle connections open longer
 * than proxies do.
 */
function setTimeLimits(server: Server): void {
  server.requestTimeout = 65_000;
  server.keepAliveTimeout = 75_000;
  server.headersTimeout = 80_000;
  // Disconnects a client that reads nothing of its response for this long. Calls may take a minute to respond.
  server.timeout = 70_000;
}

/**
 * Handles the signals, which Next leaves to it (NEXT_MANUAL_SIG_HANDLE): becomes not ready, waits for balancers to
 * notice, drains, and exits.
 */
function stopOnSignals(servers: ReadonlySet<Server>): (reason: string) => Promise<void> {
  let stoppingSince = 0;
  const stop = async (reason: string) => {
    if (stoppingSince && Date.now() - stoppingSince > SAME_SIGNAL_MS) process.exit(1);
    if (stoppingSince) return;
    stoppingSince = Date.now();
    processState.draining = true;
    log.info({ reason }, "stopping: no longer ready");
    // Balancers see "not ready" before the listener closes. Ctrl-C skips this wait.
    if (reason === "SIGTERM") await sleep(env().SHUTDOWN_NOTICE_SECONDS * 1_000);
    await Promise.race([Promise.all([...servers].map(drain)), sleep(DRAIN_MS)]);
    processState.pages?.stop();
    processState.database?.stop();
    await Promise.race([Promise.allSettled([closeDatabase(), stopTelemetry()]), sleep(1_500)]);
    log.info({}, "stopped");
    process.exit(reason === "uncaughtException" ? 1 : 0);
  };
  for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => void stop(signal));
  return stop;
}

/** Takes no new connections and waits for the running requests. */
async function drain(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const idle = setInterval(() => server.closeIdleConnections(), 100);
  await closed.finally(() => clearInterval(idle));
}
