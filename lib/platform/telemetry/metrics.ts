import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { log } from "@/lib/platform/log";
import type { DatabaseMetrics, MetricsReader } from "./database-metrics";
import { type Observer, type ResponseRecord, telemetry } from "./telemetry";

/** A value of this process that is read at each scrape. */
export type ProcessGauge = { name: string; help: string; read: () => number | undefined };

type Options = {
  port: number;
  /** The address that it listens on. */
  host: string;
  gauges: readonly ProcessGauge[];
  /** In a worker: the metrics that one of all processes reads from the database, and their reader. */
  database?: { metrics: readonly DatabaseMetrics[]; reader: MetricsReader };
};

const FAST = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const SLOW = [0.05, 0.25, 1, 5, 15, 30, 60];
/** The answer of a scrape waits this long for the database; later values are in the next one. */
const DATABASE_WAIT_MS = 4_000;

/**
 * Serves Prometheus metrics of this process at `/metrics` of its own port, and starts to count.
 * @throws Error when the port is in use
 */
export async function startMetrics({ port, host, gauges, database }: Options): Promise<void> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  countResponses(registry);
  countWork(registry);
  watchPools(registry);
  for (const gauge of gauges) addProcessGauge(registry, gauge);
  const publish = database && addDatabaseGauges(registry, database.metrics);
  const server = createServer((request, response) => {
    respond(request, response, registry, async () => {
      if (!database) return;
      const waited = new Promise((resolve) => setTimeout(resolve, DATABASE_WAIT_MS).unref());
      await Promise.race([database.reader.refresh(), waited]);
      publish?.(database.reader);
    }).catch((error: unknown) => {
      log.warn({ err: error }, "metrics not served");
      response.destroy();
    });
  });
  server.listen(port, host);
  await once(server, "listening").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EADDRINUSE") throw error;
    throw new Error(`METRICS_PORT ${port} is in use: each process on a machine needs one of its own.`);
  });
  server.unref();
  telemetry.stop.push(async () => {
    server.close();
    server.closeAllConnections();
    await database?.reader.stop();
  });
}

async function respond(
  { method, url }: IncomingMessage,
  response: ServerResponse,
  registry: Registry,
  refresh: () => Promise<void>,
): Promise<void> {
  if (method !== "GET" || url?.split("?")[0] !== "/metrics") {
    response.writeHead(404).end();
    return;
  }
  await refresh();
  const body = await registry.metrics();
  response.writeHead(200, { "Content-Type": registry.contentType }).end(body);
}

type Measured<Label extends string> = {
  name: string;
  help: string;
  labelNames: readonly Label[];
  buckets?: number[];
};

const measureSeconds = <Label extends string>(
  registry: Registry,
  { buckets = FAST, ...measured }: Measured<Label>,
) => new Histogram({ ...measured, buckets, registers: [registry] });

function countResponses(registry: Registry): void {
  const registers = [registry];
  const requests = new Counter({
    name: "passlane_http_requests_total",
    help: "Responses by method, route and status; 499: the client disconnected before the end.",
    labelNames: ["method", "route", "status"],
    registers,
  });
  const duration = measureSeconds(registry, {
    name: "passlane_http_request_duration_seconds",
    help: "Time from a request's headers to the end of its response, by method and route.",
    labelNames: ["method", "route"],
  });
  const pages = new Counter({
    name: "passlane_page_cache_responses_total",
    help: "Public pages by what the page cache did: hit, miss, or stale while the database is away.",
    labelNames: ["result"],
    registers,
  });
  telemetry.onResponse.push(({ method, route, status, ms, cache, aborted }: ResponseRecord) => {
    requests.inc({ method, route, status: aborted ? 499 : status });
    duration.observe({ method, route }, ms / 1000);
    if (cache) pages.inc({ result: cache });
  });
}

/** Jobs, calls to providers and statements. */
function countWork(registry: Registry): void {
  const jobs = measureSeconds(registry, {
    name: "passlane_job_duration_seconds",
    help: "Time of a job's run, by job and outcome: done or failed.",
    labelNames: ["job", "outcome"],
    buckets: SLOW,
  });
  const calls = measureSeconds(registry, {
    name: "passlane_provider_call_duration_seconds",
    help: "Time of a call to a provider of payments, email, sign-in or rates, by call and outcome: done or failed.",
    labelNames: ["call", "outcome"],
  });
  const statements = measureSeconds(registry, {
    name: "passlane_statement_duration_seconds",
    help: "Time of a database statement, its wait for a connection included, by connection pool.",
    labelNames: ["pool"],
  });
  const record: Record<string, (name: string, outcome: string, seconds: number, pool: string) => void> = {
    job: (job, outcome, seconds) => jobs.observe({ job, outcome }, seconds),
    provider: (call, outcome, seconds) => calls.observe({ call, outcome }, seconds),
    statement: (_name, _outcome, seconds, pool) => statements.observe({ pool }, seconds),
  };
  const observer: Observer = async ({ kind, name, attributes }, run) => {
    const startedAt = performance.now();
    let outcome = "failed";
    try {
      const result = await run();
      outcome = "done";
      return result;
    } finally {
      const seconds = (performance.now() - startedAt) / 1000;
      record[kind]?.(name, outcome, seconds, String(attributes?.["passlane.pool"]));
    }
  };
  telemetry.observers.push(observer);
}

function watchPools(registry: Registry): void {
  const registers = [registry];
  const labelNames = ["pool"] as const;
  new Gauge({
    name: "passlane_pool_connections",
    help: "Connections that a pool may open.",
    labelNames,
    registers,
    collect() {
      for (const [pool, { max }] of telemetry.pools) this.set({ pool }, max);
    },
  });
  new Gauge({
    name: "passlane_pool_in_use",
    help: "Statements and transactions that use a pool now. Those beyond its connections wait.",
    labelNames,
    registers,
    collect() {
      for (const [pool, { inUse }] of telemetry.pools) this.set({ pool }, inUse);
    },
  });
  const waits = measureSeconds(registry, {
    name: "passlane_pool_wait_seconds",
    help: "Time from the opening of a transaction until it has a connection.",
    labelNames,
  });
  telemetry.onPoolWait = (pool, seconds) => waits.observe({ pool }, seconds);
}

function addProcessGauge(registry: Registry, { name, help, read }: ProcessGauge): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      const value = read();
      if (value === undefined) this.remove();
      else this.set(value);
    },
  });
}

/** Returns the function that sets the gauges to what the reader has; without values they are left out of the scrape. */
function addDatabaseGauges(registry: Registry, metrics: readonly DatabaseMetrics[]) {
  const gauges = new Map(
    metrics.flatMap(({ gauges }) =>
      Object.entries(gauges).map(([name, { help, labels = [] }]) => {
        const gauge = new Gauge({ name, help, labelNames: labels, registers: [registry] });
        return [name, { gauge, hasLabels: labels.length > 0 }] as const;
      }),
    ),
  );
  const reads = new Gauge({
    name: "passlane_metrics_reader",
    help: "1 in the one process that reads the shop's state from the database for its metrics.",
    registers: [registry],
  });
  const failures = new Gauge({
    name: "passlane_metrics_read_failures",
    help: "Reads of the shop's state that have failed since the start, for example by their time limit.",
    registers: [registry],
  });
  return (reader: MetricsReader) => {
    reads.set(reader.isReader ? 1 : 0);
    failures.set(reader.failures);
    for (const { gauge, hasLabels } of gauges.values()) {
      gauge.reset();
      if (!hasLabels) gauge.remove(); // it would show 0
    }
    for (const { name, labels = {}, value } of reader.samples()) gauges.get(name)?.gauge.set(labels, value);
  };
}
