import { Agent, request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { connect } from "node:net";
import { gunzipSync } from "node:zlib";
import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { expect, test } from "./fixtures";
import { signUp } from "./users";

/** These tests cover what the server does around Next for calls, files and pictures. */
type ServerResponse = { status: number; headers: IncomingHttpHeaders; body: Buffer };
type RequestOptions = { method?: string; headers?: Record<string, string>; body?: string; agent?: Agent };

const get = (baseURL: string | undefined, path: string, { body, ...rest }: RequestOptions = {}) =>
  new Promise<ServerResponse>((done, fail) => {
    const request = httpRequest(new URL(path, baseURL), rest, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("end", () =>
        done({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks),
        }),
      );
    });
    request.on("error", fail);
    request.end(body);
  });

const toSortedList = (value: string | undefined) => (value ?? "").toLowerCase().split(/,\s*/).sort();

test("a long response is compressed for clients that accept it", { tag: ["@all", "@once"] }, async ({
  baseURL,
}) => {
  const path = "/api/v1/product/list?size=20";
  await get(baseURL, path);
  const complete = await get(baseURL, path);
  const packed = await get(baseURL, path, { headers: { "accept-encoding": "gzip" } });
  expect(packed.headers["content-encoding"]).toBe("gzip");
  expect(toSortedList(packed.headers.vary)).toContain("accept-encoding");
  expect(packed.body.length).toBeLessThan(complete.body.length / 3);
  expect(gunzipSync(packed.body).toString()).toBe(complete.body.toString());
});

test("scripts, pictures and icons are the same each time, in each encoding and format", {
  tag: ["@all", "@once"],
}, async ({ baseURL }) => {
  const html = (await get(baseURL, "/")).body.toString();
  const script = /src="(\/_next\/static\/[^"]+\.js)"/.exec(html)?.[1] ?? "";
  const picture = /src="(\/admin\/product-image\/[^"]+)"/.exec(html)?.[1]?.replaceAll("&amp;", "&") ?? "";
  const sign = /href="(\/icon\.svg[^"]*)"/.exec(html)?.[1] ?? "";
  const forms = [
    [script, { "accept-encoding": "gzip" }, "content-encoding", "gzip"],
    [script, {}, "content-encoding", undefined],
    [picture, { accept: "image/avif,*/*" }, "content-type", "image/avif"],
    [picture, { accept: "image/webp,*/*" }, "content-type", "image/webp"],
    [sign, {}, "content-type", "image/svg+xml"],
    ["/favicon.ico", {}, "cache-control", "public, max-age=0, must-revalidate"],
  ] as const;
  for (const [path, headers, name, value] of forms) {
    const responses: ServerResponse[] = [];
    for (let n = 0; n < 4; n++) responses.push(await get(baseURL, path, { headers }));
    const [first, , , last] = responses as [ServerResponse, ServerResponse, ServerResponse, ServerResponse];
    expect(last.status, path).toBe(200);
    expect(last.headers[name], path).toBe(value);
    expect(last.body.equals(first.body), path).toBe(true);
    if ([script, picture].includes(path))
      expect(last.headers["cache-control"]).toMatch(/public, ?max-age=(31536000|86400)/);
    const head = await get(baseURL, path, { method: "HEAD", headers });
    expect([head.status, head.body.length, head.headers["content-type"]]).toEqual([
      200,
      0,
      last.headers["content-type"],
    ]);
  }
  const piece = await get(baseURL, script, { headers: { range: "bytes=0-9" } });
  expect([piece.status, piece.body.length]).toEqual([206, 10]);
  const first = await get(baseURL, picture, { headers: { accept: "image/avif,*/*" } });
  const { etag = "" } = first.headers;
  const again = await get(baseURL, picture, { headers: { accept: "image/avif,*/*", "if-none-match": etag } });
  expect(again.status).toBe(304);
  const ids = [first, await get(baseURL, picture, { headers: { accept: "image/avif,*/*" } })];
  expect(new Set(ids.map(({ headers }) => headers["x-request-id"])).size).toBe(2);
  const none = await get(baseURL, "/_next/static/chunks/none.js");
  expect(none.status).toBe(404);
});

test("a rejection that leaves the body unread does not break the connection", {
  tag: ["@all", "@once"],
}, async ({ baseURL }) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { "content-type": "application/json" };
  const small = { method: "POST", headers, body: JSON.stringify({ keyword: "pass" }), agent };
  expect((await get(baseURL, "/api/v1/product/search", small)).status).toBe(200);
  const large = JSON.stringify({ note: "x".repeat(400_000) });
  const oversized = { method: "POST", headers, body: large, agent };
  const statuses: number[] = [];
  for (let n = 0; n < 3; n++) statuses.push((await get(baseURL, "/api/v1/cart/add", oversized)).status);
  statuses.push((await get(baseURL, "/api/v1/product/categories", { agent })).status);
  expect(statuses).toEqual([401, 401, 401, 200]);
  const search = { ...oversized, body: JSON.stringify({ keyword: "x".repeat(400_000) }) };
  expect((await get(baseURL, "/api/v1/product/search", search)).status).toBe(413);
  expect((await get(baseURL, "/api/v1/product/categories", { agent })).status).toBe(200);
  agent.destroy();
});

test("a cached picture has no data of the session that requested it first", { tag: "@once" }, async ({
  baseURL,
  request,
  locale,
}) => {
  const { email } = await signUp(request, { locale });
  const html = (await get(baseURL, "/top-trending")).body.toString();
  const picture = /src="(\/admin\/product-image\/[^"]+)"/.exec(html)?.[1]?.replaceAll("&amp;", "&") ?? "";
  const path = picture.replace(/width=\d+/, "width=480");
  const stale = () =>
    db.execute(sql`update sessions set seen_at = shop_now() - interval '2 days'
      where user_id = (select id from users where email = ${email})`);
  await stale();
  const first = await request.get(path, { headers: { accept: "image/webp" } });
  expect([first.status(), first.headers()["set-cookie"]]).toEqual([200, undefined]);
  for (let n = 0; n < 3; n++) {
    const next = await get(baseURL, path, { headers: { accept: "image/webp" } });
    expect([next.status, next.headers["set-cookie"]]).toEqual([200, undefined]);
  }
  // Only a call about the visitor's own session renews it.
  const session = await request.get("/api/v1/auth/session-summary");
  expect(session.headers()["set-cookie"]).toContain("session-token");
});

test("a client that disconnects does not affect other requests", { tag: ["@all", "@once"] }, async ({
  baseURL,
}) => {
  const { hostname, port } = new URL(baseURL!);
  const leave = (text: string, afterMs: number) =>
    new Promise<void>((done) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(text);
        setTimeout(() => socket.destroy(), afterMs);
      });
      socket.on("close", () => done());
    });
  const half =
    'POST /api/v1/product/search HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"keyw';
  const list = "GET /api/v1/product/list?size=100 HTTP/1.1\r\nHost: x\r\n\r\n";
  await Promise.all(Array.from({ length: 20 }, (_, n) => leave(n % 2 ? half : list, n * 3)));
  expect((await get(baseURL, "/api/v1/product/list?size=100")).status).toBe(200);
  expect((await get(baseURL, "/readyz")).status).toBe(200);
});

test("connections stay open longer than a proxy keeps them", { tag: ["@all", "@once"] }, async ({
  baseURL,
}) => {
  const response = await fetch(`${baseURL}/healthz`);
  expect(Number(/timeout=(\d+)/.exec(response.headers.get("keep-alive") ?? "")?.[1])).toBeGreaterThan(60);
});
