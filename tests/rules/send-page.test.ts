import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { CachedPage } from "@/lib/platform/page-cache/cached-page";
import { sendPage } from "@/lib/platform/page-cache/send";

const page = new CachedPage(
  { status: 200, headers: { "content-type": "text/html; charset=utf-8" }, body: Buffer.from("kept") },
  new Set(),
);

async function fetchFrom(listener: RequestListener, headers: Record<string, string> = {}) {
  const server = createServer(listener).listen(0);
  try {
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://localhost:${port}/`, { headers });
    return { response, body: await response.text() };
  } finally {
    server.close();
  }
}

it("a page is sent also after Next's compression has replaced writeHead, which reads pairs only", async () => {
  const listener: RequestListener = (request, response) => {
    const { writeHead } = response;
    response.writeHead = function replaced(this: typeof response, status: number, headers?: unknown) {
      if (Array.isArray(headers)) for (const [name, value] of headers) response.setHeader(name, value);
      return writeHead.call(this, status);
    } as typeof writeHead;
    sendPage(request, response, page, "pages; hit; detail=stale").catch(() => response.destroy());
  };
  const { response, body } = await fetchFrom(listener);
  expect([response.status, body]).toEqual([200, "kept"]);
  expect(response.headers.get("cache-status")).toBe("pages; hit; detail=stale");
  const again = await fetchFrom(listener, { "if-none-match": page.etag });
  expect([again.response.status, again.body]).toEqual([304, ""]);
});
