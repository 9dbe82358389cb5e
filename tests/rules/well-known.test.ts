import { createServer, IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { openFileCache } from "@/lib/platform/http/file-cache";
import { Loopback } from "@/lib/platform/http/loopback";
import { READ_LIMITS, ReadLimits } from "@/lib/platform/http/read-limits";
import { securityText } from "@/lib/platform/http/security-text";

process.env.DATABASE_URL ??= "postgres://not-used"; // the configuration requires it

it("security.txt names a contact and never is out of date", () => {
  const now = new Date("2031-02-03T04:05:06.789Z");
  const text = securityText({ origin: "https://shop.test", email: "help@shop.test", now });
  expect(text).toBe(
    "Contact: mailto:help@shop.test\nExpires: 2031-08-02T00:00:00Z\nPreferred-Languages: en, zh-Hans, ja\nCanonical: https://shop.test/.well-known/security.txt\n",
  );
});

it("the icon for home screens has one copy at every address that browsers guess", async () => {
  const made: string[] = [];
  const server = createServer({ IncomingMessage }, async (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    if (loopback.recognize(request.headers)) {
      made.push(pathname);
      return response.writeHead(200, { "content-type": "image/png" }).end("icon");
    }
    if (!(await files.serve(request, response, pathname))) response.writeHead(404).end();
  });
  const loopback = new Loopback(server);
  const files = openFileCache(loopback, new ReadLimits(READ_LIMITS));
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  const get = (path: string) => fetch(`http://localhost:${port}${path}`);
  for (const name of [
    "apple-icon",
    "apple-touch-icon",
    "apple-touch-icon-precomposed",
    "apple-touch-icon-120x120",
    "apple-touch-icon-180x180-precomposed",
  ]) {
    const response = await get(`/${name}.png`);
    expect([response.status, await response.text()], name).toEqual([200, "icon"]);
    expect(response.headers.get("cache-control")).toBe("public, max-age=86400");
  }
  expect(made).toEqual(["/apple-icon.png"]);
  expect((await get("/apple-touch-icon-big.png")).status).toBe(404);
  loopback.stop();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
