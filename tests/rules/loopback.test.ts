import { createServer, IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LOOPBACK_HEADER, Loopback } from "@/lib/platform/http/loopback";
import { sanitizeHeaders } from "@/lib/platform/http/sanitize-headers";
import { VaryingResponse } from "@/lib/platform/http/varying-response";
import { noteTags, withTags } from "@/lib/platform/page-cache/tags";

type ReceivedRequest = { inside: boolean; headers: Record<string, unknown> };
let server: Server;
let loopback: Loopback;
let received: ReceivedRequest[];
beforeEach(async () => {
  received = [];
  server = createServer((request, response) => {
    const context = loopback.recognize(request.headers);
    const originalHeaders = { ...request.headers };
    sanitizeHeaders(request.headers, { remoteAddress: "10.0.0.9", trustedProxies: 0 });
    received.push({ inside: context !== undefined, headers: { ...request.headers } });
    const handle = async () => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      noteTags(request.url ?? "");
      if (request.url === "/header") response.end(originalHeaders[LOOPBACK_HEADER]);
      else if (request.url !== "/broken") response.end(`page ${request.url}`);
      else response.writeHead(200, { "content-length": "100" }).write("half", () => response.destroy());
    };
    void (context ?? ((run) => run()))(handle);
  });
  loopback = new Loopback(server);
  await new Promise<void>((resolve) => server.listen(0, resolve));
});
afterEach(async () => {
  loopback.stop();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
const port = () => (server.address() as AddressInfo).port;
const fetchWithHeader = async (header: string) =>
  (await fetch(`http://127.0.0.1:${port()}/x`, { headers: { [LOOPBACK_HEADER]: header } })).text();

describe("Loopback", () => {
  it("recognizes its own requests, and sends only the given headers", async () => {
    const { status, body } = await loopback.get("/a", { host: "shop.example", accept: "text/html" });
    expect([status, String(body)]).toEqual([200, "page /a"]);
    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({
      inside: true,
      headers: { host: "shop.example", accept: "text/html" },
    });
    const names = ["host", "accept", "connection", "x-forwarded-for", "x-request-id"];
    expect(Object.keys(received[0]!.headers).sort()).toEqual(names.sort());
  });

  it("collects the tags of each request separately", async () => {
    const collectTags = async (path: string) => {
      const tags = new Set<string>();
      await loopback.get(path, {}, (handle) => withTags(tags, handle));
      return [...tags];
    };
    const paths = Array.from({ length: 20 }, (_, index) => `/${index}`);
    expect(await Promise.all(paths.map(collectTags))).toEqual(paths.map((path) => [path]));
  });

  it("does not recognize requests from outside, and removes the header from all", async () => {
    const headerValue = String((await loopback.get("/header", {})).body);
    const [token = "", id] = headerValue.split(" ");
    expect(token.length).toBeGreaterThan(40);
    const forged = [
      "",
      "1",
      `x ${id}`,
      ` ${id}`,
      token.slice(1),
      `${token.slice(0, -1)}! ${id}`,
      `x, ${headerValue}`,
    ];
    received = [];
    for (const header of forged) await fetchWithHeader(header);
    const other = new Loopback(server);
    expect(other.recognize({ [LOOPBACK_HEADER]: headerValue })).toBeUndefined();
    expect(received.map(({ inside }) => inside)).toEqual(forged.map(() => false));
    for (const { headers } of received) expect(headers).not.toHaveProperty(LOOPBACK_HEADER);
  });

  it("rejects when a response breaks off, and when the listener is closed", async () => {
    await expect(loopback.get("/broken", {})).rejects.toThrow();
    expect((await loopback.get("/after", {})).status).toBe(200);
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeIdleConnections();
    });
    await expect(loopback.get("/closed", {})).rejects.toThrow("closed");
    await new Promise<void>((resolve) => server.listen(0, resolve));
  });
});

it("VaryingResponse keeps its names in `Vary` when the header is replaced", async () => {
  const varyServer = createServer(
    { IncomingMessage, ServerResponse: VaryingResponse },
    (request, response) => {
      response.varyBy = request.url === "/none" ? undefined : "User-Agent";
      response.setHeader("Vary", "User-Agent");
      if (request.url !== "/kept") response.setHeader("Vary", "rsc, Accept-Encoding");
      response.end();
    },
  );
  await new Promise<void>((resolve) => varyServer.listen(0, resolve));
  const getVary = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${(varyServer.address() as AddressInfo).port}${path}`);
    return response.headers.get("vary");
  };
  expect(await getVary("/replaced")).toBe("User-Agent, rsc, Accept-Encoding");
  expect(await getVary("/kept")).toBe("User-Agent");
  expect(await getVary("/none")).toBe("rsc, Accept-Encoding");
  varyServer.closeAllConnections();
  await new Promise((resolve) => varyServer.close(resolve));
});
