import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { GET as sendRefusal } from "@/app/refused/route";
import { prepareRequests } from "@/lib/platform/http/prepare-requests";
import { currentRequest } from "@/lib/platform/request-scope";
import { testEnvironment } from "../setup/environment";
import { sendRequest } from "../setup/send-request";

const DATABASE_URL = "postgres://localhost/none";
Object.assign(process.env, testEnvironment, { DATABASE_URL, DEV: "" });

type Seen = { method: string; url: string; headers: IncomingHttpHeaders; takesGzip?: boolean };

/** Stands in for Next: answers what it received, or sends the refusal. */
const server = createServer(async (incoming, response) => {
  const { method = "", url = "", headers } = incoming;
  if (currentRequest()?.refusal) {
    const refusal = sendRefusal();
    response.writeHead(refusal.status, Object.fromEntries(refusal.headers)).end(await refusal.text());
  } else {
    const { takesGzip } = currentRequest() ?? {};
    response.end(JSON.stringify({ method, url, headers, takesGzip } satisfies Seen));
  }
});

let stop: () => void;
beforeAll(() => {
  stop = prepareRequests(() => {});
  return new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  stop();
  server.close();
});

const send = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  sendRequest(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, path, { headers, method });
const seenBy = async (path: string, headers?: Record<string, string>) =>
  JSON.parse((await send(path, headers)).text) as Seen;

it("Next gets only the query parameters of a cached page that change it, carry attribution, or belong to its router", async () => {
  const seen = {
    "/product/quillon-draft?coupon=X&plan=5&email=a@b.example": "/product/quillon-draft?plan=5",
    "/top-trending?sort=price_asc&gclid=1&page=2": "/top-trending?sort=price_asc&page=2",
    "/?utm_source=mail&coupon=X": "/?utm_source=mail",
    "/zh?_rsc=1a&x": "/zh?_rsc=1a",
    "/mobile/blog?x=1": "/mobile/blog",
    "/search?keyword=x&coupon=X": "/search?keyword=x&coupon=X",
    "/login?redirect=%2Fcart": "/login?redirect=%2Fcart",
    "/api/v1/product/list?x=1": "/api/v1/product/list?x=1",
  };
  for (const [asked, url] of Object.entries(seen)) expect((await seenBy(asked)).url, asked).toBe(url);
});

it("a compressed document goes to readers that accept it, and not to the router", async () => {
  const takesGzip = async (encodings: string, rest = {}) =>
    (await seenBy("/", { "accept-encoding": encodings, ...rest })).takesGzip;
  for (const encodings of ["gzip", "br;q=1.0, GZIP;q=0.8", "deflate, gzip"])
    expect(await takesGzip(encodings), encodings).toBe(true);
  for (const encodings of ["", "identity", "br", "gzip;q=0", "gzip; q=0.00, br", "x-gzipped"])
    expect(await takesGzip(encodings), encodings).toBe(false);
  expect(await takesGzip("gzip", { rsc: "1" })).toBe(false);
});

it("headers that only the shop sets are dropped from outside, and the address is that of the connection", async () => {
  const { headers } = await seenBy("/", {
    "x-middleware-rewrite": "/console",
    "content-security-policy": "script-src *",
    "x-forwarded-for": "203.0.113.9",
    "x-forwarded-host": "evil.example",
    traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
  });
  expect(headers["x-forwarded-for"]).toBe("127.0.0.1");
  for (const name of ["x-middleware-rewrite", "content-security-policy", "x-forwarded-host", "traceparent"])
    expect(headers, name).not.toHaveProperty(name);
});

it("a response without a policy gets one without inline scripts, and the id of its request", async () => {
  const { headers } = await send("/product/x", { "x-request-id": "request-1234" });
  expect(headers["content-security-policy"]).toContain("script-src 'self';");
  expect(headers["x-request-id"]).toBe("request-1234");
  expect((await send("/api/v1/product/list")).headers["content-security-policy"]).toContain(
    "default-src 'none'",
  );
});

it("a request that exceeds a limit or has a wrong method is answered before Next sees it", async () => {
  const long = await send(`/zh/${"a".repeat(2000)}`);
  expect([long.status, long.text.includes('<html lang="zh-Hans">')]).toEqual([414, true]);
  const call = await send("/api/v1/cart/add");
  expect([call.status, call.headers.allow, JSON.parse(call.text).code]).toEqual([
    405,
    "POST, OPTIONS",
    "40500",
  ]);
  expect((await send("/product/%ff")).status).toBe(400);
  const form = await send("/login?x=1", {}, "POST");
  expect([form.status, form.headers.location, form.text]).toEqual([303, "/login?x=1", ""]);
});
