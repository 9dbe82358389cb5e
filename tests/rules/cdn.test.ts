import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, it, vi } from "vitest";
import { cacheTag, cdnLines, deviceClass } from "@/lib/platform/http/cdn";
import { securityHeaders } from "@/lib/platform/http/security-headers";
import { CdnPurge } from "@/lib/platform/page-cache/cdn-purge";
import { decideRoute } from "@/lib/platform/routing/decide-route";

const DEVICE = "X-Device-Class";
const page = (seconds: number, tags = ["product:7", "list:video", "?plan=3"]) => ({
  tags,
  sharedUntil: performance.now() + seconds * 1000,
});
const lines = (headers: Record<string, string>, seconds = 30.5) => cdnLines(headers, page(seconds), DEVICE);
const desktop = { "x-device-class": "desktop" };

it("a CDN keeps a page for the rest of its life, under its tags, and only when it tells the device class", () => {
  const kept = ["cdn-cache-control", "max-age=30", "cache-tag", "pages,product:7,list:video"];
  expect(lines(desktop)).toEqual(kept);
  expect(lines({ "x-device-class": "tablet" })).toEqual(kept);
  const notKept = ["cdn-cache-control", "no-store"];
  expect(lines({})).toEqual(notKept);
  expect(lines({ "x-device-class": "own" })).toEqual(notKept);
  expect(lines(desktop, 0.5)).toEqual(notKept);
  expect(cdnLines(desktop, undefined, DEVICE)).toEqual(notKept);
  expect(cdnLines(desktop, { tags: [], sharedUntil: 0 }, DEVICE)).toEqual(notKept);
  const many = Array.from({ length: 2_000 }, (_, id) => `product:${id}`);
  expect(cdnLines(desktop, page(30, many), DEVICE)).toEqual(notKept);
});

it("a page for a reader whose cookie may redirect is not kept by a CDN", () => {
  for (const cookie of ["locale=zh", "locale=ja; a=b", "surface=desktop"])
    expect(lines({ ...desktop, cookie })).toEqual(["cdn-cache-control", "no-store"]);
  for (const cookie of ["next-auth.session-token=x", "locale=en"])
    expect(lines({ ...desktop, cookie })[1]).toBe("max-age=30");
});

it("what is no class of devices is none, whatever its name", () => {
  for (const name of ["__proto__", "constructor", "toString", "watch", ""])
    expect(deviceClass({ "x-device-class": name }, "X-Device-Class")).toBeUndefined();
  expect(deviceClass({ "x-device-class": "tablet" }, "X-Device-Class")).toBe("mobile");
});

it("without a CDN, answers have no header for one and vary by the user agent", () => {
  expect(cdnLines(desktop, page(30), undefined)).toEqual([]);
  expect(deviceClass(desktop, undefined)).toBeUndefined();
  const context = { nonce: "", stripe: false, dev: false, https: false };
  expect(securityHeaders("/help", context)).toMatchObject({ Vary: "User-Agent" });
  expect(securityHeaders("/help", context)).not.toHaveProperty("CDN-Cache-Control");
  const behind = { ...context, deviceHeader: DEVICE };
  for (const path of ["/help", "/zh/mobile/help", "/login"])
    expect(securityHeaders(path, behind)).toMatchObject({ Vary: DEVICE, "CDN-Cache-Control": "no-store" });
});

it("the device class of a CDN decides in place of the user agent", () => {
  const cookies = { locale: null, hasSession: false };
  const decide = (userAgent: string, device?: "desktop" | "mobile") =>
    decideRoute({ pathname: "/help", search: "", userAgent, device, cookies }).kind;
  const phone = "Mozilla/5.0 (iPhone) Mobile";
  expect([decide(phone), decide("Mozilla/5.0")]).toEqual(["redirect", "pass"]);
  expect([decide(phone, "desktop"), decide("Mozilla/5.0", "mobile")]).toEqual(["pass", "redirect"]);
});

it("a tag is printable ASCII without commas and spaces", () => {
  expect(["product:7", "list:a b", "seller:x,y", "list:名"].map(cacheTag)).toEqual([
    "product:7",
    "list:a%20b",
    "seller:x%2Cy",
    "list:%E5%90%8D",
  ]);
});

type Purge = { authorization: string | undefined; tags: string[] };
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A CDN's address for purges that refuses the first requests. */
async function startPurge({ failures = 0, againMs = 100_000 } = {}) {
  const received: Purge[] = [];
  let failing = failures;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString("utf8")) as { tags: string[] };
    failing -= 1;
    if (failing < 0) received.push({ authorization: request.headers.authorization, ...body });
    response.writeHead(failing < 0 ? 200 : 500).end("{}");
  }).listen(0);
  const { port } = server.address() as AddressInfo;
  const options = { collectMs: 20, againMs, retryMs: [10, 10, 10] };
  const cdn = new CdnPurge({ url: `http://127.0.0.1:${port}/purge`, token: "t0ken", ...options });
  closing.push(
    () => server.close(),
    () => cdn.stop(),
  );
  return { cdn, received };
}

it("changed tags are purged together with the token, and again for answers that were on their way", async () => {
  const { cdn, received } = await startPurge({ againMs: 150 });
  for (const tag of ["product:1", "list", "product:1", "list:名"]) cdn.purge(tag);
  const purge = { authorization: "Bearer t0ken", tags: ["product:1", "list", "list:%E5%90%8D"] };
  await vi.waitFor(() => expect(received[0]).toEqual(purge), 15_000);
  await vi.waitFor(() => expect(received).toHaveLength(2), 15_000);
  expect(new Set(received[1]!.tags)).toEqual(new Set(purge.tags));
});

it("a purge that fails is repeated, and more than 30 tags go in several requests", async () => {
  const { cdn, received } = await startPurge({ failures: 2 });
  for (let id = 0; id < 40; id++) cdn.purge(`product:${id}`);
  await vi.waitFor(() => expect(received.map(({ tags }) => tags.length)).toEqual([30, 10]), 15_000);
});

it("when notifications may be lost, all pages are purged by one tag", async () => {
  const { cdn, received } = await startPurge();
  cdn.purge("product:1");
  cdn.purgeAll();
  await vi.waitFor(() => expect(received.map(({ tags }) => tags)).toEqual([["pages"]]), 15_000);
  await cdn.stop();
  cdn.purge("product:2");
  await sleep(60);
  expect(received).toHaveLength(1);
});
