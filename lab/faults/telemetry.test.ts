import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { client, closeDatabase } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { env } from "@/lib/platform/env";
import { freePort } from "@/scripts/start/ports";
import { sendRequest } from "@/tests/setup/send-request";
import { startTestServer } from "@/tests/setup/shop";

// A server and a worker as an operator starts them, with every variable of telemetry.

/** What each path of the collector received. The texts within the binary messages are readable as they are. */
const received: Record<string, string> = {};
const collector = createServer(async (request, response) => {
  const { url = "", headers } = request;
  const body = await buffer(request);
  const message = headers["content-encoding"] === "gzip" ? gunzipSync(body) : body;
  received[url] = (received[url] ?? "") + message.toString("latin1");
  response.writeHead(200, { "Content-Type": "application/x-protobuf" }).end();
});
let variables: Record<string, string>;
let metrics: string;

beforeAll(async () => {
  await once(collector.listen(0, "127.0.0.1"), "listening");
  const { port } = collector.address() as { port: number };
  const metricsPort = await freePort();
  metrics = `http://127.0.0.1:${metricsPort}/metrics`;
  variables = {
    METRICS_PORT: String(metricsPort),
    ACCESS_LOG: "on",
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_BSP_SCHEDULE_DELAY: "200",
  };
});
afterAll(async () => {
  collector.close();
  await closeDatabase();
});

const scrape = async () => (await fetch(metrics)).text();
const spans = () => received["/v1/traces"] ?? "";
const logs = () => received["/v1/logs"] ?? "";

type AccessLine = { msg?: string; path?: string; status?: number; requestId?: string };
const linesOf = (file: string, path: string) =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.includes('"msg":"request"') && line.endsWith("}"))
    .map((line) => JSON.parse(line) as AccessLine)
    .filter((line) => line.path === path);

it("a server serves metrics, writes the access log, and sends traces, logs and error reports", async () => {
  const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir } = env();
  const log = "test-results/telemetry-server.log";
  rmSync(log, { force: true });
  const { slug } = await createProduct();
  const server = await startTestServer({ databaseUrl, dataDir, log, variables });
  try {
    const path = `/product/${slug}`;
    await expect.poll(async () => (await sendRequest(server.address, path)).status).toBe(200);
    const call = await sendRequest(server.address, "/api/v1/product/categories");
    const callId = call.headers["x-request-id"]!;
    expect([call.status, callId]).toEqual([200, expect.stringMatching(/^[\w-]{8,}$/)]);

    const counted =
      /^passlane_http_requests_total\{method="GET",route="\/product\/\{slug\}",status="200"\} [1-9]/m;
    expect(await scrape()).toMatch(counted);
    await expect
      .poll(() => linesOf(log, "/api/v1/product/categories"))
      .toMatchObject([{ requestId: callId }]);
    const [page] = linesOf(log, path).filter(({ status }) => status === 200);
    expect(page).toBeDefined();

    await expect.poll(spans).toContain(callId);
    await expect.poll(spans).toContain(page!.requestId);
    expect(spans()).toContain("/product/[slug]");
    await expect.poll(logs).toContain(callId);

    const other = await createProduct();
    await client()`alter table reviews rename to reviews_renamed`;
    const broken = await sendRequest(server.address, `/product/${other.slug}`).finally(
      () => client()`alter table reviews_renamed rename to reviews`,
    );
    expect(broken.status).toBe(500);
    await expect.poll(logs).toContain("render failed");
    await expect.poll(logs).toContain("exception.stacktrace");
    await expect.poll(logs).toContain("42P01");
  } finally {
    await server.stop();
  }
});

it("a worker serves metrics, and sends traces of its jobs and its log", async () => {
  for (const path of Object.keys(received)) delete received[path];
  const { DATABASE_URL } = env();
  const worker = spawn(process.execPath, ["--import", "tsx", "scripts/work.ts"], {
    env: { ...process.env, DATABASE_URL, LOG_LEVEL: "info", ...variables } as NodeJS.ProcessEnv,
    stdio: "ignore",
  });
  const ended = once(worker, "exit");
  try {
    await expect
      .poll(() => scrape().catch(() => ""), { timeout: 60_000 })
      .toMatch(/^passlane_worker_running 1$/m);
    await client()`select graphile_worker.add_job('expire-coupons')`;
    await expect
      .poll(scrape)
      .toMatch(/^passlane_job_duration_seconds_count\{job="expire-coupons",outcome="done"\} [1-9]/m);
    await expect.poll(spans).toContain("expire-coupons");
    await expect.poll(logs).toContain("worker started");
  } finally {
    worker.kill("SIGTERM");
    await ended;
  }
});
