import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, describe, expect, it } from "vitest";
import { statementName } from "@/db/observe-pool";
import { OPERATIONS } from "@/lib/platform/api/operations";
import { parseEnv } from "@/lib/platform/env";
import { LOG_OPTIONS } from "@/lib/platform/log";
import { runRequest } from "@/lib/platform/request-scope";
import { ROUTES } from "@/lib/platform/routing/routes";
import { startAccessLog } from "@/lib/platform/telemetry/access-log";
import { cleanSpan } from "@/lib/platform/telemetry/clean-span";
import { toLogRecord } from "@/lib/platform/telemetry/log-record";
import { reportResponse } from "@/lib/platform/telemetry/requests";
import { routePattern } from "@/lib/platform/telemetry/route-pattern";
import { type Observer, observe, telemetry } from "@/lib/platform/telemetry/telemetry";

/** What a call of the log writes. */
function writeLine(fields: object, message = "m"): string {
  let written = "";
  pino({ ...LOG_OPTIONS, level: "debug" }, { write: (line: string) => (written += line) }).warn(
    fields,
    message,
  );
  return written;
}

const withCode = (code: string) => Object.assign(new Error("failed"), { code });

describe("the log", () => {
  it("shows SQLSTATE and the names of errors, also of a cause", () => {
    for (const code of ["23505", "40P01", "57014", "ECONNREFUSED", "ERR_HTTP2_ERROR", "card_declined"]) {
      expect(JSON.parse(writeLine({ err: withCode(code) })).err.code).toBe(code);
      const caused = new Error("outer", { cause: withCode(code) });
      expect(JSON.parse(writeLine({ err: caused })).err.cause.code).toBe(code);
    }
  });

  it("hides codes and secrets everywhere else, and any value that is not an error code", () => {
    const code = "QX7P-4M2K-99ZT";
    const fields = { code, key: code, token: code, row: { code, key: code, token: code, password: code } };
    for (const line of [
      writeLine(fields),
      writeLine({ err: withCode(code) }),
      writeLine({ err: withCode("493817") }),
    ])
      expect(line).not.toMatch(/QX7P|493817/);
  });

  it("names the request in which a line is written", () => {
    const line = runRequest({ id: "request-12345" }, () => writeLine({}));
    expect(JSON.parse(line)).toMatchObject({ requestId: "request-12345" });
    expect(JSON.parse(writeLine({}))).not.toHaveProperty("requestId");
  });

  it("is exported as records with their exceptions", () => {
    const err = Object.assign(new Error("outer", { cause: withCode("40P01") }), { name: "JobError" });
    const record = toLogRecord(
      runRequest({ id: "request-12345" }, () => writeLine({ err, attempt: 3 }, "job failed")),
    );
    expect(record).toMatchObject({ severityNumber: 13, severityText: "WARN", body: "job failed" });
    expect(record?.attributes).toMatchObject({
      "passlane.request_id": "request-12345",
      attempt: 3,
      "exception.type": "JobError",
      "exception.message": "outer",
    });
    expect(record?.attributes["exception.stacktrace"]).toMatch(
      /^JobError: outer\n[\s\S]+Caused by: Error: failed \(40P01\)/,
    );
    expect(toLogRecord("no JSON")).toBeNull();
  });
});

describe("spans", () => {
  it("are exported without addresses, queries and values", () => {
    const secret = "QX7P-4M2K-99ZT";
    const cleaned = cleanSpan({
      name: `fetch POST https://api.example/token?code=${secret}`,
      attributes: {
        "http.route": "/login",
        "http.target": `/x?code=${secret}`,
        "http.url": secret,
        other: secret,
      },
      links: [{ context: {}, attributes: { secret } }],
      events: [
        {
          name: "exception",
          attributes: {
            "exception.message": `bad ann@example.com`,
            "exception.stacktrace": `Error: ${secret}\n    at f (a.js:1:2)`,
          },
        },
        { name: "note", attributes: { secret } },
      ],
      status: { code: 2, message: "bad ann@example.com" },
      spanContext: () => ({ traceId: "t", spanId: "s", traceFlags: 1 }),
    } as never);
    expect(JSON.stringify({ ...cleaned })).not.toMatch(/QX7P|ann@/);
    expect(cleaned).toMatchObject({ name: "fetch POST [address]", attributes: { "http.route": "/login" } });
    expect(cleaned.spanContext().traceId).toBe("t");
  });

  it("name statements by verb and table, never by their values", () => {
    const names = {
      'select "id" from "orders" where "id" = $1': "select orders",
      'insert into "users" ("email") values ($1)': "insert users",
      "update keys set state = 'x' where id = 'QX7P'": "update keys",
      "select shop_now()": "select shop_now",
      "select extract(epoch from ends_at) from deals": "select deals",
      "with a as (select 1 from only plans) select 'QX7P'": "with plans",
      "  notify x, 'QX7P'": "notify",
    };
    for (const [text, name] of Object.entries(names)) expect(statementName(text)).toBe(name);
  });
});

describe("routes of metrics", () => {
  it("are the shop's routes in every language and on both surfaces, and few", () => {
    expect(routePattern("/zh/mobile/product/quillon-draft", 200)).toBe("/product/{slug}");
    expect(routePattern("/api/v1/product/quillon-draft", 200)).toMatch(/^\/api\/v1\/|other/);
    expect(routePattern("/gift/0123456789abcdef", 200)).toBe("/gift/{token}");
    expect(routePattern("/_next/static/chunks/a.js", 200)).toBe("/_next/static");
    expect(routePattern("/console/orders/abc", 200)).toBe("/console/orders");
    expect(routePattern("/console/orders/abc", 404)).toBe("/console");
    expect(routePattern("/merchant/ombrith/sales", 200)).toBe("/merchant/{handle}/sales");
  });

  it("cannot be multiplied by clients", () => {
    const patterns = new Set<string>();
    const starts = [
      "",
      "/product",
      "/console",
      "/merchant/a",
      "/api/v1",
      "/api/v1/order",
      "/_next",
      "/dev",
      "/feeds",
    ];
    for (let i = 0; i < 500; i++) {
      const word = String.fromCharCode(97 + (i % 26), 97 + ((i * 7) % 26), 97 + ((i * 11) % 26));
      for (const start of starts) patterns.add(routePattern(`${start}/${word}${i}`, 404));
    }
    const calls = new Set(OPERATIONS.map((operation) => operation.split(" ")[1]));
    expect(patterns.size).toBeLessThan(ROUTES.length + calls.size);
    expect([...patterns].filter((pattern) => /\d/.test(pattern.replace("v1", "")))).toEqual([]);
  });
});

describe("observing", () => {
  const before = [...telemetry.observers];
  afterEach(() => {
    telemetry.observers.splice(0, telemetry.observers.length, ...before);
  });

  it("passes results and errors through, and just runs the work without observers", async () => {
    const seen: string[] = [];
    const work = async () => "done";
    expect(observe({ kind: "job", name: "a" }, work)).toBeInstanceOf(Promise);
    const note = (by: string): Observer => {
      return async ({ name }, run) => {
        seen.push(`${by} ${name}`);
        return run();
      };
    };
    telemetry.observers.push(note("inner"), note("outer"));
    expect(await observe({ kind: "job", name: "b" }, work)).toBe("done");
    await expect(observe({ kind: "job", name: "c" }, () => Promise.reject(new Error("no")))).rejects.toThrow(
      "no",
    );
    expect(seen).toEqual(["outer b", "inner b", "outer c", "inner c"]);
  });
});

describe("the access log", () => {
  it("has a line for each response, without query, cookie or full IP address", async () => {
    const folder = mkdtempSync(join(tmpdir(), "access-log-"));
    const file = join(folder, "access.log");
    startAccessLog(file);
    const server = createServer((request, response) => {
      Object.assign(request.headers, { "x-request-id": "request-12345", "x-forwarded-for": "203.0.113.77" });
      reportResponse(request, response, "/product/quillon-draft");
      response.setHeader("Cache-Status", "next; hit").end("page");
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const address = `http://127.0.0.1:${port}/product/quillon-draft?token=QX7P`;
    await (await fetch(address, { headers: { cookie: "session=secret" } })).text();
    await expect.poll(() => readFileSync(file, "utf8")).toContain("\n");
    const lines = readFileSync(file, "utf8").trim().split("\n");
    expect(lines).toHaveLength(1);
    const { time, ms, bytes, ...line } = JSON.parse(lines[0]!) as Record<string, unknown>;
    expect([typeof time, typeof ms, typeof bytes]).toEqual(["string", "number", "number"]);
    expect(line).toEqual({
      level: 30,
      msg: "request",
      method: "GET",
      route: "/product/{slug}",
      path: "/product/quillon-draft",
      status: 200,
      requestId: "request-12345",
      network: "203.0.113.0",
      cache: "hit",
    });
    server.close();
    telemetry.onResponse.pop();
    await telemetry.stop.pop()!();
    rmSync(folder, { recursive: true });
  });
});

describe("the configuration", () => {
  const variables = {
    DATABASE_URL: "postgres://127.0.0.1/x",
    AUTH_SECRET: "x".repeat(32),
    VAULT_KEY: Buffer.alloc(32, 1).toString("base64"),
    VAULT_HASH_KEY: Buffer.alloc(32, 2).toString("base64"),
    STRIPE_WEBHOOK_SECRET: "whsec_x",
  };

  it("rejects metrics on the public port and an unsupported protocol", () => {
    expect(() => parseEnv({ ...variables, PORT: "3000", METRICS_PORT: "3000" })).toThrow(
      /METRICS_PORT equals PORT/,
    );
    expect(() => parseEnv({ ...variables, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" })).toThrow(
      /must be http\/protobuf/,
    );
    expect(parseEnv(variables)).toMatchObject({ METRICS_HOST: "127.0.0.1", ACCESS_LOG: "off" });
  });
});
