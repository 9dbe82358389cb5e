import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer, request as httpRequest, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { publishedFolder } from "@/lib/platform/http/published-files";
import { splitTarget } from "@/lib/platform/http/request-limits";
import { openStaticFiles } from "@/lib/platform/http/static-files";

let folder: string;
let published: string;
let server: Server;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "static-files-"));
  await mkdir(join(folder, "chunks"));
  await writeFile(join(folder, "chunks/page.js"), "plain");
  await writeFile(join(folder, "chunks/page.js.br"), "brotli");
  await writeFile(join(folder, "chunks/page.js.gz"), "gzip");
  await writeFile(join(folder, "font.woff2"), "font");
  published = await mkdtemp(join(tmpdir(), "published-files-"));
  const serve = await openStaticFiles(folder, { release: "own", published: publishedFolder(published) });
  server = createServer(async (request, response) => {
    const { pathname, search } = splitTarget(request.url ?? "/");
    if (!(await serve(request, response, pathname, search))) response.writeHead(418).end("not served");
  }).listen(0);
});

afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
  await rm(published, { recursive: true });
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

  it.each([
    "missing.js",
    "chunks",
    "",
    "%2e%2e/font.woff2",
    "../font.woff2",
    "chunks/../../secret",
    ".own/x",
  ])("are answered with 404, which is not kept, at %s", async (name) => {
    const { status, headers } = await get(`/_next/static/${name}`);
    expect([status, headers["cache-control"]]).toEqual([404, "no-store"]);
  });

  it("are not served elsewhere, and not for a write", async () => {
    expect((await get("/font.woff2")).status).toBe(418);
    expect((await get("/_next/static/font.woff2", {}, "POST")).status).toBe(418);
  });
});

describe("files of other releases", () => {
  const build = async (release: string, content: string) => {
    const source = await mkdtemp(join(tmpdir(), "build-"));
    await writeFile(join(source, "manifest.js"), content);
    await writeFile(join(source, `${release}.js`), content);
    await publishedFolder(published).publish(source, release);
    await rm(source, { recursive: true });
  };
  const contents = async (names: string[]) =>
    Promise.all(names.map(async (name) => (await get(`/_next/static/${name}`)).body));

  it("are served once published, by the release that a page names, and those of the last three stay", async () => {
    await build("first", "1");
    await Promise.all([build("second", "2"), build("second", "2")]); // two instances start at once
    expect(await contents(["first.js", "second.js"])).toEqual(["1", "2"]);
    expect(await contents(["manifest.js?dpl=first", "manifest.js?dpl=second"])).toEqual(["1", "2"]);
    expect(await contents(["font.woff2?dpl=first", "font.woff2?dpl=own", "font.woff2"])).toEqual(
      Array(3).fill("font"),
    );
    await build("third", "3");
    await build("first", "1"); // a rollback makes it the newest
    await build("fourth", "4");
    expect((await readdir(published)).sort()).toEqual(["first", "fourth", "third"]);
    expect((await get("/_next/static/second.js?dpl=second")).status).toBe(404);
  });

  it("stop the start with one sentence where they cannot be published", async () => {
    await expect(publishedFolder(join(folder, "font.woff2")).publish(folder, "own")).rejects.toThrow(
      /^STATIC_FILES_DIR \S+ cannot be written to \(\w+\): mount it writable\.$/,
    );
  });
});
