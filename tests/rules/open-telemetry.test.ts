import { createServer, type Server } from "node:http";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { SpanStatusCode, trace } from "@opentelemetry/api";
import { afterAll, beforeAll, expect, it } from "vitest";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { runRequest } from "@/lib/platform/request-scope";
import { startTelemetry } from "@/lib/platform/telemetry/start";
import { observe, stopTelemetry, telemetry } from "@/lib/platform/telemetry/telemetry";

const SECRET = "QX7P-4M2K-99ZT";
const received: Record<string, string> = {};
let collector: Server;
let address: string;

/** The texts within the binary messages are readable as they are. */
async function collect(path: string, body: Buffer, encoding: string | undefined): Promise<void> {
  const message = encoding === "gzip" ? gunzipSync(body) : body;
  received[path] = (received[path] ?? "") + message.toString("latin1");
}

beforeAll(async () => {
  collector = createServer(async (request, response) => {
    const { url = "", headers } = request;
    await collect(url, await buffer(request), headers["content-encoding"]);
    response.writeHead(200, { "Content-Type": "application/x-protobuf" }).end();
  });
  await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
  const { port } = collector.address() as { port: number };
  process.env.DATABASE_URL ??= "postgres://127.0.0.1/none"; // the configuration needs one
  await startTelemetry("server");
  expect(telemetry.observers).toEqual([]); // no variable is set: `env` is read once, so the start below names it itself
  address = `http://127.0.0.1:${port}`;
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = address;
  const { startOpenTelemetry } = await import("@/lib/platform/telemetry/open-telemetry");
  startOpenTelemetry({ process: "server", traces: true, logs: true });
});
afterAll(() => void collector.close());

it("telemetry sends spans and log lines with the request's id, exceptions, and nothing secret", async () => {
  const failure = Object.assign(new Error("deadlock with ann@example.com"), { code: "40P01" });
  const call = { kind: "provider" as const, name: "refund_payment" };
  let traceId: string | undefined;
  const handle = async () => {
    traceId = telemetry.traceId?.();
    const statement = { kind: "statement" as const, name: "select orders" };
    await observe(statement, async () => {}).then(() =>
      // As Next does, with an address that holds a code.
      trace.getTracer("next.js").startActiveSpan(`fetch GET https://api.example/?code=${SECRET}`, (span) => {
        span.setAttributes({ "http.target": `/login?code=${SECRET}`, "next.route": "/[locale]/login" });
        span.recordException(new Error("to ann@example.com"));
        span.setStatus({ code: SpanStatusCode.ERROR, message: "to ann@example.com" });
        span.end();
      }),
    );
    log.error({ err: failure, code: SECRET }, "call failed");
    throw failure;
  };
  await runRequest({ id: "request-98765" }, () => observe(call, handle)).catch(() => {});
  await observe({ kind: "statement", name: "select without_parent" }, async () => {});
  await observe({ kind: "job", name: "send-mail" }, async () => {});
  await stopTelemetry();
  const { "/v1/traces": spans = "", "/v1/logs": logs = "" } = received;
  expect(traceId).toMatch(/^[0-9a-f]{32}$/);
  for (const text of [
    "refund_payment",
    "request-98765",
    "select orders",
    "send-mail",
    "40P01",
    "/[locale]/login",
  ])
    expect(spans).toContain(text);
  for (const text of [
    "call failed",
    "request-98765",
    "exception.stacktrace",
    "deadlock with [address]",
    "40P01",
  ])
    expect(logs).toContain(text);
  expect(spans).not.toContain("without_parent");
  expect(spans + logs).not.toMatch(/QX7P|ann@example/);
});

it.each([
  ["none", "none", [0, false]],
  ["none", "otlp", [0, true]],
  ["otlp", "none", [1, false]],
])(
  "telemetry starts no signal whose exporter is “none”: traces %s, logs %s",
  async (traces, logs, expected) => {
    telemetry.observers.length = 0;
    telemetry.onLogLine = undefined;
    Object.assign(env(), {
      OTEL_EXPORTER_OTLP_ENDPOINT: address,
      OTEL_TRACES_EXPORTER: traces,
      OTEL_LOGS_EXPORTER: logs,
    });
    await startTelemetry("server");
    expect([telemetry.observers.length, telemetry.onLogLine !== undefined]).toEqual(expected);
  },
);
