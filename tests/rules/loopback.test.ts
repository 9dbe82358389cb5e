import { createServer, IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LOOPBACK_HEADER, Loopback } from "@/lib/platform/http/loopback";
import { sanitizeHeaders } from "@/lib/platform/http/sanitize-headers";
import { VaryingResponse } from "@/lib/platform/http/varying-response";
import { noteTags, withTags } from "@/lib/platform/page-cache/tags";

type Seen = { inside: boolean; headers: Record<string, unknown> };
let server: Server;
let loopback: Loopback;
let seen: Seen[];
beforeEach(async () => {
  seen = [];
  server = createServer((request, response) => {
    const run = loopback.recognize(request.headers);
    const sent = { ...request.headers };
    sanitizeHeaders(request.headers, { remoteAddress: "10.0.0.9", trustedProxies: 0 });
    seen.push({ inside: run !== undefined, headers: { ...request.headers } });
    const handle = async () => {
      await new Promise((done) => setTimeout(done, 1));
      noteTags(request.url ?? "");
      if (request.url === "/header") response.end(sent[LOOPBACK_HEADER]);
      else if (request.url !== "/broken") response.end(`page ${request.url}`);
      else response.writeHead(200, { "content-length": "100" }).write("half", () => response.destroy());
    };
    void (run ?? ((plain) => plain()))(handle);
  });
  loopback = new Loopback(server);
  await new Promise<void>((done) => server.listen(0, done));
});
afterEach(async () => {
  loopback.stop();
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});
const port = () => (server.address() as AddressInfo).port;
const fromOutside = async (header: string) =>
  (await fetch(`http://127.0.0.1:${port()}/x`, { headers: { [LOOPBACK_HEADER]: header } })).text();

describe("Loopback", () => {
  it("recognizes its own requests, and sends only the given headers", async () => {
    const { status, body } = await loopback.get("/a", { host: "shop.example", accept: "text/html" });
    expect([status, String(body)]).toEqual([200, "page /a"]);
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({ inside: true, headers: { host: "shop.example", accept: "text/html" } });
    const names = ["host", "accept", "connection", "x-forwarded-for", "x-request-id"];
    expect(Object.keys(seen[0]!.headers).sort()).toEqual(names.sort());
  });

  it("collects the tags of each request separately", async () => {
    const tagsOf = async (path: string) => {
      const tags = new Set<string>();
      await loopback.get(path, {}, (handle) => withTags(tags, handle));
      return [...tags];
    };
    const paths = Array.from({ length: 20 }, (_, at) => `/${at}`);
    expect(await Promise.all(paths.map(tagsOf))).toEqual(paths.map((path) => [path]));
  });

  it("does not recognize requests from outside, and removes the header from all", async () => {
    const real = String((await loopback.get("/header", {})).body);
    const [token = "", id] = real.split(" ");
    expect(token.length).toBeGreaterThan(40);
    const forged = [
      "",
      "1",
      `x ${id}`,
      ` ${id}`,
      token.slice(1),
      `${token.slice(0, -1)}! ${id}`,
      `x, ${real}`,
    ];
    seen = [];
    for (const header of forged) await fromOutside(header);
    const other = new Loopback(server);
    expect(other.recognize({ [LOOPBACK_HEADER]: real })).toBeUndefined();
    expect(seen.map(({ inside }) => inside)).toEqual(forged.map(() => false));
    for (const { headers } of seen) expect(headers).not.toHaveProperty(LOOPBACK_HEADER);
  });

  it("rejects when a response breaks off, and when the listener is closed", async () => {
    await expect(loopback.get("/broken", {})).rejects.toThrow();
    expect((await loopback.get("/after", {})).status).toBe(200);
    await new Promise<void>((done) => {
      server.close(() => done());
      server.closeIdleConnections();
    });
    await expect(loopback.get("/closed", {})).rejects.toThrow("closed");
    await new Promise<void>((done) => server.listen(0, done));
  });
});

it("VaryingResponse keeps its names in `Vary` when the header is replaced", async () => {
  const varying = createServer({ IncomingMessage, ServerResponse: VaryingResponse }, (request, response) => {
    response.varyBy = request.url === "/none" ? undefined : "User-Agent";
    response.setHeader("Vary", "User-Agent");
    if (request.url !== "/kept") response.setHeader("Vary", "rsc, Accept-Encoding");
    response.end();
  });
  await new Promise<void>((done) => varying.listen(0, done));
  const varyOf = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${(varying.address() as AddressInfo).port}${path}`);
    return response.headers.get("vary");
  };
  expect(await varyOf("/replaced")).toBe("User-Agent, rsc, Accept-Encoding");
  expect(await varyOf("/kept")).toBe("User-Agent");
  expect(await varyOf("/none")).toBe("rsc, Accept-Encoding");
  varying.closeAllConnections();
  await new Promise((done) => varying.close(done));
});
