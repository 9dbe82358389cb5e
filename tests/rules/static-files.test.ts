import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, request as httpRequest, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openStaticFiles } from "@/lib/platform/http/static-files";

let folder: string;
let server: Server;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "static-files-"));
  await mkdir(join(folder, "chunks"));
  await writeFile(join(folder, "chunks/page.js"), "plain");
  await writeFile(join(folder, "chunks/page.js.br"), "brotli");
  await writeFile(join(folder, "chunks/page.js.gz"), "gzip");
  await writeFile(join(folder, "font.woff2"), "font");
  const serve = await openStaticFiles(folder);
  server = createServer((request, response) => {
    if (!serve(request, response, request.url ?? "")) response.writeHead(418).end("not served");
  }).listen(0);
});

afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

type Answer = { status?: number; headers: IncomingHttpHeaders; body: string };

const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  new Promise<Answer>((resolve, reject) => {
    const { port } = server.address() as AddressInfo;
    httpRequest({ port, path, headers, method }, async (response) =>
      resolve({ status: response.statusCode, headers: response.headers, body: await text(response) }),
    )
      .on("error", reject)
      .end();
  });

describe("static files", () => {
  it("are sent in the best accepted encoding, and kept by browsers for a year", async () => {
    const url = "/_next/static/chunks/page.js";
    expect(await get(url, { "accept-encoding": "gzip, br" })).toMatchObject({ body: "brotli" });
    expect(await get(url, { "accept-encoding": "gzip" })).toMatchObject({ body: "gzip" });
    const { status, headers, body } = await get(url);
    expect({ status, body }).toEqual({ status: 200, body: "plain" });
    expect(headers["content-encoding"]).toBeUndefined();
    expect(headers).toMatchObject({
      "content-type": "text/javascript",
      "content-length": "5",
      "cache-control": "public,max-age=31536000,immutable",
      "x-content-type-options": "nosniff",
      vary: "Accept-Encoding",
    });
  });

  it("are sent uncompressed where the build has no compressed copy", async () => {
    const { headers, body } = await get("/_next/static/font.woff2", { "accept-encoding": "br" });
    expect(body).toBe("font");
    expect(headers["content-type"]).toBe("font/woff2");
    expect(headers["content-encoding"]).toBeUndefined();
  });

  it.each([
    ["bytes=1-2", 206, "on", "bytes 1-2/4"],
    ["bytes=2-", 206, "nt", "bytes 2-3/4"],
    ["bytes=1-99", 206, "ont", "bytes 1-3/4"],
    ["bytes=4-", 200, "font", undefined],
    ["bytes=2-1", 200, "font", undefined],
    ["bytes=-2", 200, "font", undefined],
    ["bytes=0-0,2-2", 200, "font", undefined],
  ])("answer the range %s with %s", async (range, status, body, contentRange) => {
    const answer = await get("/_next/static/font.woff2", { range });
    expect(answer).toMatchObject({ status, body });
    expect(answer.headers["content-range"]).toBe(contentRange);
  });

  it("have no body for HEAD", async () => {
    const { headers, body } = await get("/_next/static/font.woff2", {}, "HEAD");
    expect(body).toBe("");
    expect(headers["content-length"]).toBe("4");
  });

  it.each(["/_next/static/missing.js", "/_next/static/../font.woff2", "/font.woff2", "/_next/static/chunks"])(
    "are not served at %s",
    async (path) => expect((await get(path)).status).toBe(418),
  );

  it("are not served for a write", async () =>
    expect((await get("/_next/static/font.woff2", {}, "POST")).status).toBe(418));
});
