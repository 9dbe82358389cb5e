import { randomBytes } from "node:crypto";
import {
  createServer,
  get,
  type IncomingHttpHeaders,
  IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isShopError } from "@/lib/platform/errors";
import { type GeneratedFiles, openGeneratedFiles } from "@/lib/platform/http/generated-files";
import { Loopback } from "@/lib/platform/http/loopback";
import { READ_LIMITS, ReadLimits } from "@/lib/platform/http/read-limits";

const FEED = "/feeds/products.jsonl";

process.env.DATABASE_URL ??= "postgres://not-used"; // the configuration requires it

let server: Server;
let loopback: Loopback;
let files: GeneratedFiles;
let now: number;
/** What Next would send: writes the body in pieces, with pauses. */
let pieces: Buffer[];
let status: number;
let made: string[];
let writesBody: (response: ServerResponse) => Promise<unknown>;

beforeEach(async () => {
  now = 0;
  status = 200;
  made = [];
  pieces = [Buffer.from("one\n"), Buffer.from("two\n")];
  writesBody = () => sleep(1);
  server = createServer({ IncomingMessage }, async (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    if (loopback.recognize(request.headers)) {
      made.push(pathname);
      response.writeHead(status, { "content-type": "text/plain", "cache-control": "public, max-age=300" });
      const body = pathname === FEED ? pieces : [Buffer.from("one\n")];
      for (const piece of status === 200 ? body : []) {
        response.write(piece);
        await writesBody(response);
      }
      return response.destroyed ? undefined : response.end();
    }
    request.headers["x-forwarded-for"] = "10.0.0.1";
    const served = await files.serve(request, response, pathname).catch((error: Error) => error);
    if (served === false) response.writeHead(404).end("not here");
    else if (served !== true) refuse(response, served);
  });
  loopback = new Loopback(server);
  files = openGeneratedFiles(loopback, new ReadLimits(READ_LIMITS, { now: () => now }), {
    stallMs: 300,
    clock: { now: () => now },
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
});
afterEach(async () => {
  await files.stop();
  loopback.stop();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function refuse(response: ServerResponse, error: Error): void {
  if (!isShopError(error)) return void response.writeHead(503).end("database down");
  const status = error.error === "too_many_requests" ? 429 : 503;
  response.writeHead(status, { "retry-after": String(error.params.retryAfterSeconds) }).end(error.error);
}

const port = () => (server.address() as AddressInfo).port;
type Answer = { status: number; headers: IncomingHttpHeaders; body: Buffer };
const request = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  new Promise<Answer>((resolve, reject) => {
    get({ port: port(), path, headers, method }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk)).on("error", reject);
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    }).on("error", reject);
  });
const readText = async (path = FEED) => String((await request(path)).body);

it("a file is made once for readers that come at the same time, and kept for a minute", async () => {
  const texts = await Promise.all(Array.from({ length: 20 }, () => readText()));
  expect(new Set(texts)).toEqual(new Set(["one\ntwo\n"]));
  now = 59_999;
  expect(await readText(`${FEED}?other=1`)).toBe("one\ntwo\n");
  expect(made).toEqual([FEED]);
});

it("after that time it is made again, and readers get the kept one meanwhile", async () => {
  await readText();
  now = 60_001;
  pieces = [Buffer.from("new\n")];
  expect(await readText()).toBe("one\ntwo\n");
  await expect.poll(() => readText()).toBe("new\n");
  expect(made).toEqual([FEED, FEED]);
  now += 60_001 + 600_000;
  pieces = [Buffer.from("newest\n")];
  expect(await readText()).toBe("newest\n");
});

it("the sitemap of posts is made again as soon as a post changes, and the kept one is sent if that fails", async () => {
  const sitemap = "/sitemaps/posts.xml";
  await readText(sitemap);
  await readText();
  now = 10;
  files.invalidate("posts");
  files.invalidate("list");
  now = 20;
  await readText(sitemap);
  await readText(sitemap);
  await readText();
  expect(made).toEqual([sitemap, FEED, sitemap]);
  now = 30;
  files.invalidate("posts");
  now = 40;
  status = 500;
  expect(await readText(sitemap)).toBe("one\n");
});

it("a file that takes long is kept 20 times as long", async () => {
  writesBody = async () => {
    now += 5_000;
  };
  await readText();
  now += 189_000;
  await readText();
  expect(made).toHaveLength(1);
  now += 11_000;
  await readText();
  await expect.poll(() => made.length).toBe(2);
});

it("readers receive nothing before the file is complete, so that a file that breaks off is a 503", async () => {
  pieces = [randomBytes(500_000), Buffer.from("end")];
  writesBody = async (response) => {
    await sleep(50);
    response.destroy();
  };
  const broken = await Promise.all([request(FEED), request(FEED, { "accept-encoding": "gzip" })]);
  for (const { status, body } of broken) expect([status, String(body)]).toEqual([503, "unavailable"]);
  expect(made).toEqual([FEED]);
});

describe("without room in the folder for temporary files", () => {
  const folder = process.env.TMPDIR;
  beforeEach(() => {
    process.env.TMPDIR = "/none/at/all";
    pieces = [randomBytes(500_000)];
  });
  afterEach(() => {
    if (folder === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = folder;
  });

  it("a large file is a 503 with the time to come back, made again after five seconds at the earliest", async () => {
    for (let n = 0; n < 3; n++) {
      const { status, headers, body } = await request(FEED);
      expect([status, headers["retry-after"], String(body)]).toEqual([503, "5", "unavailable"]);
    }
    expect(made).toEqual([FEED]);
    delete process.env.TMPDIR;
    now = 5_000;
    expect((await request(FEED)).body).toHaveLength(500_000);
  });

  it("the kept file is sent for ten minutes", async () => {
    delete process.env.TMPDIR;
    await request(FEED);
    process.env.TMPDIR = "/none/at/all";
    now = 60_001;
    for (let n = 0; n < 3; n++) expect((await request(FEED)).status).toBe(200);
    now += 600_000;
    expect((await request(FEED)).status).toBe(503);
  });

  it("small files are served from memory", async () => {
    expect(await readText("/robots.txt")).toBe("one\n");
    expect(await readText("/sitemaps/products-1.xml")).toBe("one\n");
  });
});

it("it is sent compressed to readers that accept gzip, and HEAD has no body", async () => {
  const compressed = await request(FEED, { "accept-encoding": "br, gzip" });
  expect(compressed.headers).toMatchObject({
    "content-encoding": "gzip",
    "content-type": "text/plain",
    "cache-control": "public, max-age=300",
    vary: "Accept-Encoding",
    "x-content-type-options": "nosniff",
  });
  expect(String(gunzipSync(compressed.body))).toBe("one\ntwo\n");
  expect((await request(FEED, { "accept-encoding": "gzip" })).headers["content-length"]).toBe(
    String(compressed.body.length),
  );
  expect(
    (await request(FEED, { "accept-encoding": "gzip;q=0" })).headers["content-encoding"],
  ).toBeUndefined();
  expect((await request(FEED, {}, "HEAD")).body).toHaveLength(0);
});

it("Next responds to unknown files, other methods, and when a file cannot be made", async () => {
  for (const path of ["/feeds/none", "/sitemaps/none.xml", "/product/x", "/sitemaps/products-0.xml"])
    expect((await request(path)).status).toBe(404);
  expect((await request(FEED, {}, "DELETE")).status).toBe(404);
  expect(made).toEqual([]);
  status = 404;
  expect((await request("/sitemaps/products-999999.xml")).status).toBe(404);
  status = 500;
  expect((await request(FEED)).status).toBe(404);
  status = 200;
  expect(await readText()).toBe("one\ntwo\n");
});

it("the kept file is sent for ten minutes while it cannot be made again", async () => {
  await readText();
  status = 503;
  now = 60_000 + 599_000;
  expect(await readText()).toBe("one\ntwo\n");
  now += 2_000;
  expect((await request(FEED)).status).toBe(503);
});

it("making numbered files counts for the client, reading does not", async () => {
  const statuses: number[] = [];
  for (let part = 1; part <= 300 && statuses.at(-1) !== 429; part++)
    statuses.push((await request(`/sitemaps/products-${part}.xml`)).status);
  expect(statuses.slice(0, 200)).toEqual(Array(200).fill(200));
  expect(statuses.at(-1)).toBe(429);
  for (let n = 0; n < 50; n++) expect((await request("/sitemaps/products-1.xml")).status).toBe(200);
  expect((await request("/robots.txt")).status).toBe(200);
});

it("clients that do not read are disconnected, hold no copy of the file, and delay no one", async () => {
  pieces = Array.from({ length: 16 }, () => randomBytes(1_000_000));
  await request(FEED, { "accept-encoding": "gzip" });
  const before = process.memoryUsage().arrayBuffers;
  const sockets: Socket[] = [];
  for (let n = 0; n < 20; n++) {
    const socket = connect(port(), "127.0.0.1").pause();
    socket.on("error", () => {});
    socket.write(`GET ${FEED} HTTP/1.1\r\nhost: x\r\naccept-encoding: gzip\r\n\r\n`);
    sockets.push(socket);
  }
  await sleep(200);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100_000_000);
  expect((await request("/robots.txt")).status).toBe(200);
  const connections = () =>
    new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));
  await expect.poll(connections).toBeLessThan(10);
  for (const socket of sockets) socket.destroy();
});
