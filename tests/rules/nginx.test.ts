import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, request, type Server } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Front, findNginx, startFront } from "@/scripts/start/front";
import { freePort } from "@/scripts/start/ports";
import { needs } from "@/tests/setup/needs";
import { CHROME, IPHONE } from "./page-paths";

// nginx with the configuration of deploy/nginx, in front of two servers that answer as the shop does.

const KEPT = "public, max-age=0, must-revalidate, s-maxage=1, stale-while-revalidate=1, stale-if-error=600";
/** After this time a cached page has expired, and a failed instance is tried again: nginx counts whole seconds. */
const AGE_MS = 3_050;
type Seen = { shop: number; method: string; url: string; headers: IncomingHttpHeaders };
type Answer = { status: number; headers: Record<string, string> };

const dir = mkdtempSync(join(tmpdir(), "nginx-"));
const log = join(dir, "access.log");
let front: Front;
let port = 0;
let shops: Server[] = [];
const shopPorts: number[] = [];
let seen: Seen[] = [];
let answer: Answer;
/** What an instance does instead of responding. */
let broken: ((shop: number) => boolean) | undefined;

const listen = (shop: number) =>
  new Promise<Server>((done) => {
    const server = createServer(({ method = "", url = "", headers, socket }, response) => {
      seen.push({ shop, method, url, headers });
      if (broken?.(shop)) return void socket.destroy();
      response.writeHead(answer.status, { "content-type": "text/html", ...answer.headers });
      response.end(`answer ${seen.length} to ${url}`);
    });
    server.listen(shopPorts[shop], "127.0.0.1", () => done(server));
  });

type Sent = { method?: string; headers?: Record<string, string>; body?: string };
type Received = { status: number; headers: IncomingHttpHeaders; text: string };
let group = 0;
/** Sends a request, by default from an address group that sent none before. */
const send = (path: string, { method = "GET", headers, body }: Sent = {}) =>
  new Promise<Received>((done, fail) => {
    group += 1;
    const from = `10.${group >> 8}.${group & 255}.7`;
    const all = { "user-agent": CHROME, "x-forwarded-for": from, ...headers };
    request({ port, path, method, headers: all, agent: false }, (response) => {
      text(response).then(
        (content) => done({ status: response.statusCode ?? 0, headers: response.headers, text: content }),
        fail,
      );
    })
      .on("error", fail)
      .end(body);
  });

/** Sends raw lines. */
const sendLines = (...lines: string[]) =>
  new Promise<string>((done, fail) => {
    let received = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(`${lines.join("\r\n")}\r\n\r\n`));
    socket.setEncoding("utf8").on("data", (chunk) => (received += chunk));
    socket.on("error", fail).on("close", () => done(received));
  });

const nginx = findNginx();
beforeAll(async () => {
  if (!nginx) return;
  while (shopPorts.length < 2) shopPorts.push(await freePort());
  shops = [await listen(0), await listen(1)];
  port = await freePort();
  const staticFolder = join(dir, "static");
  mkdirSync(join(staticFolder, "chunks"), { recursive: true });
  writeFileSync(join(staticFolder, "chunks", "own.js"), "own file");
  answer = { status: 200, headers: {} };
  front = await startFront({ dir, port, shop: shopPorts, staticFolder, realAddresses: true });
});
afterAll(async () => {
  await front?.stop();
  for (const shop of shops) shop.close().closeAllConnections();
});
beforeEach(() => {
  seen = [];
  answer = { status: 200, headers: { "cache-control": KEPT } };
  broken = undefined;
});

let page = 0;
/** A page that was not requested before. */
const newPage = () => `/product/page-${++page}`;
const cacheOf = ({ headers }: Received) => String(headers["cache-status"]).replace("front; ", "");

describe("nginx in front of the shop", needs(nginx, "nginx"), () => {
  it("caches a page for all, and tells browsers to revalidate", async () => {
    const path = newPage();
    const [first, again, other] = [await send(path), await send(path), await send(`${path}?x=1&_rsc=2`)];
    expect([first, again, other].map(cacheOf)).toEqual(["fwd=miss", "hit", "hit"]);
    expect(again.text).toBe(first.text);
    expect(again.headers["cache-control"]).toBe("no-cache");
  });

  it("caches pages apart by device, plan, router payload, encoding and host", async () => {
    const path = newPage();
    await send(path);
    const others: [string, Record<string, string>][] = [
      [path, { "user-agent": IPHONE }],
      [`${path}?plan=2`, {}],
      [path, { rsc: "1" }],
      [path, { rsc: "1", "next-router-prefetch": "1" }],
      [path, { rsc: "1", "next-router-segment-prefetch": "/_tree" }],
      [path, { "accept-encoding": "br, gzip" }],
      [path, { host: "other.example" }],
      [path.replace("page", "p%61ge"), {}],
    ];
    for (const [address, headers] of others)
      expect([address, headers, cacheOf(await send(address, { headers }))]).toEqual([
        address,
        headers,
        "fwd=miss",
      ]);
    expect(seen.map(({ headers }) => headers["accept-encoding"])).toContain("gzip");
    expect(cacheOf(await send(path, { headers: { "accept-encoding": "gzip;q=0, br" } }))).toBe("hit");
  });

  it("keeps a picture that never changes, for each Accept header, and no other picture", async () => {
    const lasting = "public, max-age=31536000, immutable";
    answer = { status: 200, headers: { "cache-control": lasting, vary: "Accept" } };
    const picture = (accept: string, v = 1) =>
      send(`/admin/product-image/7?v=${v}&width=96`, { headers: { accept, cookie: "locale=zh" } });
    const first = await picture("image/avif");
    const others = [await picture("image/avif"), await picture("image/webp"), await picture("image/webp", 2)];
    expect(others.map(cacheOf)).toEqual(["hit", "fwd=miss", "fwd=miss"]);
    expect([others[0]!.text, others[0]!.headers["cache-control"]]).toEqual([first.text, lasting]);
    for (const headers of [{ "cache-control": "public, max-age=3600" }, { "cache-control": "no-cache" }]) {
      answer = { status: 200, headers };
      for (const _ of [1, 2]) expect(cacheOf(await picture("image/png", 3))).toBe("fwd=miss");
    }
  });

  it("bypasses its cache after a write, for another language, for chosen desktop pages and for a landing address", async () => {
    const path = newPage();
    await send(path);
    for (const cookie of ["fresh=1", "a=b; locale=zh", "locale=ja", "surface=desktop"])
      expect([cookie, cacheOf(await send(path, { headers: { cookie } }))]).toEqual([cookie, "fwd=bypass"]);
    for (const query of ["utm_source=a", "x=1&medium=b", "plan=%35", "plan=1&plan=2", "q=1"])
      expect([query, cacheOf(await send(`${path}?${query}`))]).toEqual([query, "fwd=bypass"]);
    expect(cacheOf(await send(path, { headers: { cookie: "locale=en; session=x" } }))).toBe("hit");
    const chinese = `/zh${newPage()}`;
    await send(chinese);
    expect(cacheOf(await send(chinese, { headers: { cookie: "locale=zh" } }))).toBe("hit");
  });

  it("caches nothing without a lifetime from the shop, and no response with a cookie", async () => {
    const refusing: Record<string, string>[] = [
      { "cache-control": "private, no-store" },
      { "cache-control": "public, max-age=3600" },
      { "cache-control": KEPT, "set-cookie": "a=b" },
    ];
    for (const headers of refusing) {
      answer = { status: 200, headers };
      const path = newPage();
      const [first, again] = [await send(path), await send(path)];
      expect([headers, again.text === first.text]).toEqual([headers, false]);
    }
    answer = { status: 200, headers: { "cache-control": KEPT } };
    for (const path of [
      "/console",
      "/search?x=1",
      "/nowhere",
      "/api/v1/product/list",
      "/feeds/products.jsonl",
    ]) {
      const [first, again] = [await send(path), await send(path)];
      expect([path, again.text === first.text]).toEqual([path, false]);
    }
  });

  it("passes on the shop's response for a removed page or a closed shop three seconds after it cached the page", async () => {
    for (const status of [404, 410, 500, 503]) {
      answer = { status: 200, headers: { "cache-control": KEPT } };
      const path = newPage();
      await send(path);
      answer = { status, headers: { "cache-control": "no-store" } };
      await sleep(AGE_MS);
      expect([status, (await send(path)).status]).toEqual([status, status]);
    }
  });

  it("sends a cached page while no instance responds, and an unavailable notice for any other", async () => {
    const path = newPage();
    const kept = await send(path);
    await sleep(AGE_MS);
    broken = () => true;
    const bridged = await send(path);
    expect([bridged.status, cacheOf(bridged), bridged.text]).toEqual([200, "hit; detail=stale", kept.text]);
    await sleep(AGE_MS); // both instances count as away
    const page = await send(`/ja${newPage()}`);
    expect([page.status, page.headers["retry-after"], page.headers["cache-control"]]).toEqual([
      502,
      "5",
      "no-store",
    ]);
    expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(page.text).toContain("ただいまご利用いただけません");
    const call = await send("/api/v1/cart/list", { headers: { "accept-language": "zh-CN,zh;q=0.9" } });
    expect([call.status, call.headers["content-type"]]).toEqual([502, "application/json; charset=utf-8"]);
    expect(JSON.parse(call.text)).toMatchObject({ success: false, message: "服务暂时不可用，请稍后再试。" });
    broken = undefined;
    await sleep(AGE_MS);
  });

  it("sends a GET that an instance does not answer to the other one, but never a write", async () => {
    broken = (shop) => shop === 0;
    const statuses = [];
    for (let n = 0; n < 4; n++) statuses.push((await send(newPage())).status);
    expect(statuses).toEqual([200, 200, 200, 200]);
    await sleep(AGE_MS);
    broken = () => true;
    for (const method of ["POST", "PATCH"]) {
      seen = [];
      expect((await send("/api/v1/cart/add", { method, body: "{}" })).status).toBe(502);
      expect([method, seen.length]).toEqual([method, 1]);
      await sleep(AGE_MS);
    }
    broken = undefined;
    // A write that could not be sent goes to the other instance.
    await new Promise((done) => {
      shops[0]?.close(done);
      shops[0]?.closeAllConnections();
    });
    for (let n = 0; n < 4; n++)
      expect((await send("/api/v1/cart/add", { method: "POST", body: "{}" })).status).toBe(200);
    shops[0] = await listen(0);
    await sleep(AGE_MS);
  });

  it("passes the client's address to the shop, and nothing that a client says about proxies", async () => {
    const forged = {
      "x-forwarded-for": "203.0.113.9",
      "x-forwarded-host": "evil.example",
      "x-forwarded-port": "1",
      "x-forwarded-proto": "https",
      "x-real-ip": "1.1.1.1",
      forwarded: "for=1.1.1.1",
      "x-request-id": "chosen-by-client",
    };
    await send("/login", { headers: forged });
    const headers: IncomingHttpHeaders = seen[0]?.headers ?? {};
    expect(headers).toMatchObject({ "x-forwarded-for": "203.0.113.9", "x-forwarded-proto": "http" });
    expect(headers["x-request-id"]).toMatch(/^[0-9a-f]{32}$/);
    for (const name of ["x-forwarded-host", "x-forwarded-port", "x-real-ip", "forwarded"])
      expect([name, headers[name]]).toEqual([name, undefined]);
  });

  it("refuses more than 350 concurrent pages to one address group only, with a page in its language", async () => {
    const from = (address: string) => ({ headers: { "x-forwarded-for": address } });
    const path = newPage();
    const answers: Received[] = [];
    for (let n = 0; n < 80; n++)
      answers.push(
        ...(await Promise.all(Array.from({ length: 10 }, () => send(`/zh${path}`, from(`198.51.100.${n}`))))),
      );
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(300);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]?.text).toContain("请求过于频繁");
    expect(refused[0]?.headers).toMatchObject({ "retry-after": "1", "cache-control": "no-store" });
    expect((await send(`/zh${path}`, from("198.51.101.1"))).status).toBe(200);
    const sixes = await Promise.all(
      Array.from({ length: 160 }, (_, n) => send("/api/v1/cart/list", from(`2001:db8::${n.toString(16)}`))),
    );
    const call = sixes.find(({ status }) => status === 429);
    expect(JSON.parse(call?.text ?? "{}")).toMatchObject({ code: "429", success: false });
    expect((await send("/api/v1/cart/list", from("2001:db8:0:1::1"))).status).toBe(200);
  });

  it("refuses searches far earlier than pages, on pages and in calls", async () => {
    const headers = { "x-forwarded-for": "198.51.102.1" };
    const paths = Array.from({ length: 40 }, (_, n) => [
      `/search?q=${n}`,
      `/api/v1/product/suggest?keyword=${n}`,
    ]).flat();
    const answers = await Promise.all(paths.map((path) => send(path, { headers })));
    const passed = answers.filter(({ status }) => status === 200).length;
    expect(passed).toBeGreaterThanOrEqual(51);
    expect(passed).toBeLessThan(60);
    expect((await send(newPage(), { headers })).status).toBe(200);
  });

  it.each([
    ["a long path", `/${"a".repeat(1_100)}`, 414],
    ["a long query", `/?${"a".repeat(4_200)}`, 414],
    ["an address beyond any buffer", `/?${"a".repeat(20_000)}`, 414],
    ["101 parameters", `/search?${"q&".repeat(100)}`, 400],
    ["NUL in the path", "/product/a%00", 400],
    ["a control character in the path", "/product/a%0d", 400],
    ["a control character of two bytes", "/product/%C2%85", 400],
    ["NUL in the query", "/search?q=a%00", 400],
    ["invalid encoding", "/product/%zz", 400],
  ])("refuses %s before the shop sees it", async (_, path, status) => {
    const response = await send(path, { headers: { "accept-language": "ja" } });
    expect(response.status).toBe(status);
    expect(response.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(response.text).toContain('<html lang="');
    expect(seen).toEqual([]);
  });

  it("allows requests up to the limits", async () => {
    const paths = [
      `/${"a".repeat(1_000)}`,
      `/?${"a".repeat(4_000)}`,
      `/search?${"q&".repeat(99)}`,
      "/search?q=%0a%E6%9C%AC",
    ];
    for (const path of paths) expect([path, (await send(path)).status]).toEqual([path, 200]);
    expect(seen.map(({ url }) => url)).toEqual(paths);
  });

  it.each([
    ["TRACE", ["TRACE / HTTP/1.1", "Host: a", "Cookie: secret"], "405"],
    ["CONNECT", ["CONNECT other.example:443 HTTP/1.1", "Host: other.example:443"], "40[05]"],
    ["another method", ["BREW / HTTP/1.1", "Host: a"], "405"],
    ["no host", ["GET / HTTP/1.1"], "400"],
    ["a host that is none", ["GET / HTTP/1.1", "Host: a/b"], "400"],
    ["17 kB of headers", ["GET / HTTP/1.1", "Host: a", `X: ${"x".repeat(17_000)}`], "431"],
    ["an address for a proxy", ["GET http://other.example/ HTTP/1.1", "Host: other.example"], "400"],
  ])("refuses %s with the shop's own page", async (_, lines, status) => {
    const response = await sendLines(...lines, "Connection: close");
    expect(response.split("\r\n", 1)[0]).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(response).toContain('<html lang="');
    expect(response).not.toContain("secret");
    expect(seen).toEqual([]);
  });

  it("refuses a body of more than 17 MB with the shop's own page", async () => {
    const headers = { "content-length": String(20 * 1024 * 1024), "content-type": "application/json" };
    const received = await send("/api/v1/admin/images", { method: "POST", headers, body: "{" }).catch(
      () => undefined,
    );
    expect(received?.status).toBe(413);
    expect(JSON.parse(received?.text ?? "{}")).toMatchObject({ code: "413", success: false });
  });

  it("serves the files of releases itself, and passes others to the shop", async () => {
    const own = await send("/_next/static/chunks/own.js");
    expect(own.headers["content-type"]).toBe("text/javascript; charset=utf-8");
    expect([own.status, own.text, own.headers["cache-control"]]).toEqual([
      200,
      "own file",
      "public, max-age=31536000, immutable",
    ]);
    expect(seen).toEqual([]);
    const other = await send("/_next/static/chunks/other.js?dpl=x");
    expect([other.status, other.text]).toEqual([200, "answer 1 to /_next/static/chunks/other.js?dpl=x"]);
    answer = { status: 200, headers: { "cache-control": "public, max-age=31536000, immutable" } };
    const kept = [
      await send("/_next/static/chunks/kept.js"),
      await send("/_next/static/chunks/kept.js?dpl=x"),
    ];
    expect(kept[1]?.text).toBe(kept[0]?.text);
    answer = { status: 404, headers: {} };
    seen = [];
    expect((await send("/_next/static/chunks/missing.js")).status).toBe(404);
    expect(new Set(seen.map(({ shop }) => shop))).toEqual(new Set([0, 1]));
    seen = [];
    expect((await send("/_next/static/../../../../etc/passwd")).text).not.toContain("root:");
    expect((await send("/errors/en/400.html")).text).toContain("to /errors/en/400.html");
  });

  it("logs no query, no secret of a link and no complete IP address", async () => {
    const secret = "s3cretToken";
    const paths = [
      `/search?q=${secret}`,
      `/zh/gift/${secret}`,
      `/Gift/${secret}`,
      `/business/invite/${secret}`,
      `/%67ift/${secret}`,
      `/product/x?token=${secret}`,
      `/_next/x?${secret}`,
      `/${secret.repeat(200)}`,
    ];
    for (const path of paths.slice(0, -1))
      await send(path, { headers: { "x-forwarded-for": "203.0.113.201" } });
    await send("/help", { headers: { "x-forwarded-for": "2001:db8:aa:bb:cc:dd:ee:ff" } });
    await send("/help", { headers: { "x-forwarded-for": "2001::ee:ff" } });
    await expect.poll(() => readFileSync(log, "utf8")).toContain('"network":"2001::"');
    const lines = readFileSync(log, "utf8");
    expect(lines).not.toContain(secret);
    expect(lines).not.toMatch(/203\.0\.113\.201|aa:bb|ee:ff/);
    expect(lines).toContain('"network":"203.0.113.0"');
    expect(lines).toContain('"path":"/zh/gift"');
    for (const line of lines.trim().split("\n")) JSON.parse(line);
  });
});
