import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import next from "next";
import { closeDatabase } from "@/db/client";
import { DatabaseMonitor } from "@/db/monitor";
import { tryDatabase } from "@/db/trials";
import { schemaVersion } from "@/db/version";
import { waitForDatabase } from "@/db/wait-for-database";
import { reportJournal } from "@/lib/delivery/journal/commands";
import { hasJournal, holdsCodesBack } from "@/lib/delivery/journal/queries";
import { checkVaultKeys } from "@/lib/delivery/vault-keys/commands";
import { methodNotAllowed } from "@/lib/platform/api/method-not-allowed";
import { isDatabaseFailure, isDatabaseFull, RETRY_AFTER_SECONDS } from "@/lib/platform/database-failure";
import { env } from "@/lib/platform/env";
import { isShopError, ShopError } from "@/lib/platform/errors";
import { deviceClass, deviceHeader } from "@/lib/platform/http/cdn";
import { type FileCache, openFileCache } from "@/lib/platform/http/file-cache";
import { type GeneratedFiles, openGeneratedFiles } from "@/lib/platform/http/generated-files";
import { landingCookie } from "@/lib/platform/http/landing-cookie";
import { Loopback, type RunHandler } from "@/lib/platform/http/loopback";
import { publishedBucket } from "@/lib/platform/http/published-bucket";
import { publishedFolder } from "@/lib/platform/http/published-files";
import { clientOf, delayRefusal, readLimits, renderCost } from "@/lib/platform/http/read-limits";
import { type PlainResponse, renderRefusal } from "@/lib/platform/http/refusal";
import { findRefusal, MAX_HEADER_BYTES, splitTarget } from "@/lib/platform/http/request-limits";
import { responseHeaders } from "@/lib/platform/http/response-headers";
import { sanitizeHeaders } from "@/lib/platform/http/sanitize-headers";
import { needsNonce } from "@/lib/platform/http/security-headers";
import { openStaticFiles, type ServeStaticFile } from "@/lib/platform/http/static-files";
import { VaryingResponse } from "@/lib/platform/http/varying-response";
import type { Worker } from "@/lib/platform/jobs/worker";
import { log } from "@/lib/platform/log";
import { openPageCache, type PageCache } from "@/lib/platform/page-cache/page-cache";
import { readiness } from "@/lib/platform/readiness";
import { readReleaseId } from "@/lib/platform/release";
import { type RequestScope, runRequest } from "@/lib/platform/request-scope";
import {
  decideRoute,
  ROUTED_HEADER,
  type RouteDecision,
  routingCookies,
} from "@/lib/platform/routing/decide-route";
import { hideSecrets } from "@/lib/platform/routing/hide-secrets";
import { LOCALE_HEADER, normalizePath, parsePath } from "@/lib/platform/routing/paths";
import { isPagePath } from "@/lib/platform/routing/routes";
import { markServerEntry } from "@/lib/platform/server-entry";
import { isShopKnownClosed, watchShopClosure } from "@/lib/platform/shop-closure";
import { observeRequest } from "@/lib/platform/telemetry/requests";
import { stopTelemetry } from "@/lib/platform/telemetry/telemetry";
import { rejectDemoDatabase } from "@/scripts/demo-database";
import { startProcessMetrics } from "@/scripts/metrics";
import { startOrExit } from "@/scripts/start-or-exit";

const DRAIN_MS = 6_000;
const FORCE_AFTER_MS = 1_000;
/** A client that takes nothing of its response for this long is disconnected. Calls may take a minute to respond. */
const SILENCE_MS = 70_000;

type NextHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;
type State = {
  draining: boolean;
  database: DatabaseMonitor;
  loopback: Loopback;
  worker?: Worker;
  pages?: PageCache;
  files?: FileCache;
  generatedFiles?: GeneratedFiles;
  serveStaticFile?: ServeStaticFile;
};

/**
 * The server entry: Next's documented custom server, preceded by request ids, sanitized headers, redirects, security
 * headers, health checks and the page cache, and accompanied by the background worker. Resolves once requests are served.
 */
async function startServer() {
  const { PORT: port, DEV: dev, WORKER, PAGE_CACHE_MB, ACCESS_LOG, SHUTDOWN_NOTICE_SECONDS } = env();
  let handle = async (_: IncomingMessage, response: ServerResponse) =>
    sendJson(response, 503, { starting: true });
  const options = { IncomingMessage, ServerResponse: VaryingResponse, maxHeaderSize: MAX_HEADER_BYTES };
  const server = createServer(options, (request, response) => {
    handle(request, response).catch((error: unknown) => handleError(error, request, response));
  });
  // Node would silently drop the headers beyond a number. `findRefusal` counts them instead.
  server.maxHeadersCount = 0;
  server.on("connect", (_, socket) => refuseConnect(socket));
  server.requestTimeout = 65_000;
  // Longer than proxies keep idle connections (60 s in nginx and most load balancers): a request that a proxy sends
  // while this server closes the connection is lost.
  server.keepAliveTimeout = 75_000;
  server.headersTimeout = 80_000;
  server.timeout = SILENCE_MS;
  // Listens on all addresses, and Next gets no host name: with 127.0.0.1 its rewrites fail.
  await listen(server, port);
  // In production Next attaches its handler of upgrade requests to a server that never listens, so that Node treats them
  // as ordinary requests. Next would see them before this entry does, and leave their connections open.
  markServerEntry();
  const app = next({ dev, port, httpServer: dev ? server : createServer() });
  await app.prepare();
  const nextHandler = app.getRequestHandler();
  if (ACCESS_LOG === "on") (await import("@/lib/platform/telemetry/access-log")).startAccessLog();
  await tryDatabase(env());
  await rejectDemoDatabase(env().DATABASE_DIRECT_URL, env());
  const database = DatabaseMonitor.start();
  const state: State = { draining: false, database, loopback: new Loopback(server) };
  // Before the first statement, so that all pools are observed.
  await startProcessMetrics({
    pages: () => state.pages,
    isDatabaseUp: () => !database.isFailing(),
    isWorkerRunning: () => (WORKER === "inline" ? workerState(state) === "running" : undefined),
  });
  await waitForDatabase(checkVaultKeys, { say: (line) => log.warn({}, line) });
  await reportJournal();
  const release = dev ? undefined : readReleaseId();
  if (release) state.serveStaticFile = await openBuild(release);
  const limits = readLimits();
  limits.watchDatabase(() => database.hasLockedTable());
  database.onDown(() => limits.refuseWaiting());
  // Connections from before may lead to a server that is gone, or no longer the primary.
  database.onUp(() => void closeDatabase());
  if (!dev) state.files = openFileCache(state.loopback, limits);
  if (!dev) state.generatedFiles = openGeneratedFiles(state.loopback, limits);
  if (!dev && PAGE_CACHE_MB > 0)
    state.pages = await openPageCache(state.loopback, PAGE_CACHE_MB * 1024 * 1024, limits, database, (tag) =>
      state.generatedFiles?.invalidate(tag),
    );
  handle = (request, response) => serve(request, response as VaryingResponse, state, nextHandler);

  const stopWatchingShop = watchShopClosure();
  if (WORKER === "inline") {
    const { startWorker } = await import("@/scripts/work");
    state.worker = await startWorker();
  }
  log.info(
    {
      port,
      dev,
      release,
      worker: workerState(state),
      mode: env().APP_MODE,
      payments: env().PAYMENT_MODE,
    },
    "serving",
  );

  const stop = async (signal = "stop") => {
    state.draining = true;
    log.info({ signal }, "stopping: no longer ready");
    // Balancers see "not ready" before the listener closes. Ctrl-C skips this wait.
    if (signal === "SIGTERM" && !dev) await sleep(SHUTDOWN_NOTICE_SECONDS * 1_000);
    await Promise.all([drain(server), state.worker && waitAtMost(DRAIN_MS, state.worker.stop())]);
    stopWatchingShop();
    state.loopback.stop();
    await state.pages?.stop();
    await state.generatedFiles?.stop();
    database.stop();
    if (dev) await waitAtMost(1_000, app.close());
    await waitAtMost(1_500, closeDatabase());
    await waitAtMost(1_000, stopTelemetry());
    log.info({}, "stopped");
  };
  return stop;
}

/** The static files of this build, which other instances may send too once it serves. */
async function openBuild(release: string): Promise<ServeStaticFile> {
  const { STATIC_FILES_DIR: folder, STATIC_BUCKET: bucket } = env();
  const published = folder ? publishedFolder(folder) : bucket ? publishedBucket(bucket) : undefined;
  await published?.publish(".next/static", release);
  return openStaticFiles(".next/static", { release, published });
}

function workerState({ worker }: State): "running" | "off" | "failed" {
  if (!worker) return "off";
  return worker.isRunning() ? "running" : "failed";
}

async function serve(
  request: IncomingMessage,
  response: VaryingResponse,
  state: State,
  nextHandler: NextHandler,
): Promise<void> {
  const runLoopback = state.loopback.recognize(request.headers);
  const { TRUSTED_PROXIES: trustedProxies } = env();
  const id = sanitizeHeaders(request.headers, {
    remoteAddress: request.socket.remoteAddress,
    trustedProxies,
  });
  const options = { internal: runLoopback !== undefined, trusted: trustedProxies > 0 };
  await observeRequest(request, response, options, () =>
    respond(request, response, state, nextHandler, id, runLoopback).catch((error: unknown) => {
      if (!isDatabaseFailure(error)) throw error;
      return serveWithoutDatabase(request, response, state);
    }),
  );
}

/** Responds to a request whose headers are sanitized. `runLoopback`: of a request of this process to itself. */
async function respond(
  request: IncomingMessage,
  response: VaryingResponse,
  state: State,
  nextHandler: NextHandler,
  id: string,
  runLoopback: RunHandler | undefined,
): Promise<void> {
  if (state.draining) response.setHeader("Connection", "close");

  if (runLoopback) {
    prepareForNext(request, splitTarget(request.url ?? "/").pathname);
    const refuse = () => sendUnavailable(request, response);
    return runLoopback(() => runHandler(request, response, state, nextHandler, refuse));
  }
  const refusal = findRefusal(request);
  if (refusal) return send(response, id, renderRefusal(request, refusal));
  const { pathname, search } = readTarget(request);
  if (await state.serveStaticFile?.(request, response, pathname, search)) return;
  if (await state.files?.serve(request, response, pathname)) return;
  if (await state.generatedFiles?.serve(request, response, pathname)) return;
  const decision = decide(request, pathname, search);
  if (isShopKnownClosed() && isClosedPage(pathname)) return send(response, id, renderClosed(request));
  if (decision.kind === "pass" && (await state.pages?.serve(request, response, pathname, search))) return;

  response.setHeader("X-Request-Id", id);
  const notAllowed = methodNotAllowed(request);
  if (notAllowed) return send(response, id, notAllowed);
  if (pathname === "/healthz") return sendJson(response, 200, { ok: true });
  if (pathname === "/readyz") {
    const report = await readiness({
      draining: state.draining,
      database: { down: state.database.isDown(), full: isDatabaseFull() },
      worker: workerState(state),
      shop: isShopKnownClosed() ? "closed" : "open",
      codesHeldBack: hasJournal() ? holdsCodesBack : undefined,
      schema: schemaVersion,
      env: env(),
      stale: new URLSearchParams(search).get("stale") === "ok" && state.pages?.sendsStale(),
    });
    return sendJson(response, report.ready ? 200 : 503, report);
  }
  const cookie = readLandingCookie(request, pathname, search);
  if (cookie) response.setHeader("Set-Cookie", cookie);
  if (decision.kind === "redirect") {
    const vary = deviceHeader() ?? "User-Agent";
    const headers = { "Cache-Control": "no-store", Vary: vary, "Content-Length": 0 };
    return void response.writeHead(decision.status, { Location: decision.location, ...headers }).end();
  }
  logWhenFinished(request, response, pathname);
  setHeaders(request, response, pathname);
  prepareForNext(request, pathname);
  const respondInstead = () => serveWithoutDatabase(request, response, state);
  const run = () => runHandler(request, response, state, nextHandler, respondInstead);
  const cost = env().DEV ? 0 : renderCost(pathname);
  // Kept pages and refusals of an outage are not expensive.
  if (cost === 0 || state.database.isDown()) return run();
  await readLimits().run({ client: clientOf(request), cost }, run);
}

/**
 * The path and query of a request. Calls and files with needlessly encoded characters are read as if they were not, so
 * that each has one address; pages are redirected (`decideRoute`).
 */
function readTarget(request: IncomingMessage): { pathname: string; search: string } {
  const { pathname, search } = splitTarget(request.url ?? "/");
  const normalized = normalizePath(pathname);
  if (normalized === pathname || isPagePath(normalized)) return { pathname, search };
  request.url = normalized + search;
  return { pathname: normalized, search };
}

function readLandingCookie({ headers }: IncomingMessage, pathname: string, search: string): string | null {
  const signals = { gpc: headers["sec-gpc"]?.toString(), dnt: headers.dnt?.toString() };
  return landingCookie({ pathname, search, signals, secure: env().APP_URL.startsWith("https://") });
}

/** Runs Next's handler. If the database is down, or fails before it has responded, `respondInstead` does. */
async function runHandler(
  request: IncomingMessage,
  response: VaryingResponse,
  { database }: State,
  nextHandler: NextHandler,
  respondInstead: () => Promise<void> | void,
): Promise<void> {
  if (database.isDown()) return respondInstead();
  let stopWatching = () => {};
  const scope: RequestScope = {
    id: String(request.headers["x-request-id"]),
    onNotFound() {
      if (!response.headersSent) response.statusCode = 404;
    },
  };
  const responded = new Promise<void>((resolve, reject) => {
    scope.onDatabaseFailure = () => {
      if (!response.headersSent) Promise.resolve().then(respondInstead).then(resolve, reject);
    };
    stopWatching = database.onDown(scope.onDatabaseFailure);
  });
  const handled = runRequest(scope, () => nextHandler(request, response));
  await Promise.race([handled, responded]).finally(stopWatching);
}

/** While the database is down: a cached page marked as stale, else 503. */
async function serveWithoutDatabase(
  request: IncomingMessage,
  response: ServerResponse,
  { pages }: State,
): Promise<void> {
  const { pathname, search } = splitTarget(request.url ?? "/");
  if (!(await pages?.serveStale(request, response, pathname, search))) sendUnavailable(request, response);
}

function sendUnavailable(request: IncomingMessage, response: ServerResponse): void {
  if (response.headersSent) return;
  const { status, headers, body } = renderRefusal(request, new ShopError("unavailable"), {
    "Retry-After": String(RETRY_AFTER_SECONDS),
    "X-Request-Id": String(request.headers["x-request-id"]),
  });
  response.writeHead(status, headers).end(body);
}

/** In a closed shop, staff can sign in and work; every other page is the notice. */
const OPEN_WHILE_CLOSED = ["/console", "/login"];

function isClosedPage(pathname: string): boolean {
  const { path } = parsePath(pathname);
  const isOpen = OPEN_WHILE_CLOSED.some((open) => path === open || path.startsWith(`${open}/`));
  return isPagePath(pathname) && !isOpen;
}

const CLOSED_RETRY_SECONDS = 300;

const renderClosed = (request: IncomingMessage): PlainResponse =>
  renderRefusal(request, new ShopError("shop_closed"), { "Retry-After": String(CLOSED_RETRY_SECONDS) });

/** Sets the headers that tell Next what this server has decided. */
function prepareForNext(request: IncomingMessage, pathname: string): void {
  request.headers[ROUTED_HEADER] = "1";
  request.headers[LOCALE_HEADER] = parsePath(pathname).locale;
  // The response to a write is a few bytes. Next would compress it, which costs more than it saves.
  if (pathname.startsWith("/api/") && request.method !== "GET") delete request.headers["accept-encoding"];
}

function setHeaders(request: IncomingMessage, response: VaryingResponse, pathname: string): void {
  const nonce = needsNonce(pathname) ? randomBytes(16).toString("base64") : "";
  const headers = responseHeaders(pathname, nonce);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.varyBy = headers.Vary;
  // Next takes the nonce for its own scripts from the policy of the request.
  if (nonce) request.headers["content-security-policy"] = headers["Content-Security-Policy"];
}

function logWhenFinished(request: IncomingMessage, response: ServerResponse, pathname: string): void {
  const startedAt = performance.now();
  response.once("finish", () => {
    const { "x-request-id": id } = request.headers;
    const level = response.statusCode >= 500 ? "warn" : "debug";
    const ms = Math.round(performance.now() - startedAt);
    log[level](
      { id, method: request.method, path: hideSecrets(pathname), status: response.statusCode, ms },
      "response",
    );
  });
}

/** Decides about redirects. If that fails, the navigation proceeds (docs/product.md#24-navigation). */
function decide(request: IncomingMessage, pathname: string, search: string): RouteDecision {
  if (request.method !== "GET" && request.method !== "HEAD") return { kind: "pass" };
  try {
    const { "user-agent": userAgent, cookie } = request.headers;
    const device = deviceClass(request.headers, deviceHeader());
    return decideRoute({ pathname, search, userAgent, device, cookies: routingCookies(cookie) });
  } catch (error) {
    log.error({ err: error, path: hideSecrets(pathname) }, "route decision failed");
    return { kind: "pass" };
  }
}

function send(response: ServerResponse, id: string, { status, headers, body }: PlainResponse): void {
  response.writeHead(status, { ...headers, "X-Request-Id": id }).end(body);
}

/**
 * No address takes CONNECT: this server is no proxy. The connection is no longer one of the HTTP server, whose time limits
 * do not end it.
 */
function refuseConnect(socket: Duplex): void {
  socket.on("error", () => socket.destroy());
  socket.end(
    "HTTP/1.1 405 Method Not Allowed\r\nAllow: GET, HEAD, POST\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
    () => socket.destroy(),
  );
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, {
    "Content-Type": "application/json; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
  });
  response.end(JSON.stringify(body));
}

function handleError(error: unknown, request: IncomingMessage, response: ServerResponse): void {
  if (isShopError(error) && !response.headersSent) return void refuse(error, request, response);
  log.error(
    { err: error, id: request.headers["x-request-id"], path: request.url?.split("?")[0] },
    "request failed",
  );
  if (response.headersSent) return void response.destroy();
  response.setHeader("X-Request-Id", String(request.headers["x-request-id"]));
  sendJson(response, 500, { error: "internal error" });
}

/** Refuses a request by its read limits. */
async function refuse(error: ShopError, request: IncomingMessage, response: ServerResponse): Promise<void> {
  await delayRefusal();
  const { retryAfterSeconds } = error.params;
  const retry: Record<string, string> = retryAfterSeconds ? { "Retry-After": String(retryAfterSeconds) } : {};
  send(response, String(request.headers["x-request-id"]), renderRefusal(request, error, retry));
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port);
  await once(server, "listening").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EADDRINUSE") throw error;
    throw new Error(`Port ${port} is in use: stop the program that uses it, or set PORT.`);
  });
  server.on("error", (error) => log.error({ err: error }, "listener failed"));
}

/** Accepts no new connections and waits up to DRAIN_MS for running requests, then closes their connections. */
async function drain(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const idle = setInterval(() => server.closeIdleConnections(), 100);
  await waitAtMost(DRAIN_MS, closed);
  clearInterval(idle);
  server.closeAllConnections();
}

/** Waits for `work` for at most `ms`, so that the shutdown always continues. */
async function waitAtMost(ms: number, work: Promise<unknown>): Promise<void> {
  const finished = work.catch((error) => log.error({ err: error }, "did not stop cleanly"));
  await Promise.race([finished, sleep(ms)]);
}

/**
 * Stops the process in order on SIGTERM or SIGINT; a second signal ends it at once. A signal within a second of the first
 * is ignored, because scripts/start.mjs forwards a Ctrl-C that this process has received already.
 */
function stopOnSignals(stop: (signal: string) => Promise<void>): void {
  let stoppingSince = 0;
  const onSignal = (signal: string) => {
    if (stoppingSince && Date.now() - stoppingSince > FORCE_AFTER_MS) process.exit(1);
    if (stoppingSince) return;
    stoppingSince = Date.now();
    stop(signal).then(
      () => process.exit(0),
      (error) => {
        log.error({ err: error }, "stopping failed");
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // Output that cannot be written, for example to a full disk, must not end the server.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  const stop = await startOrExit(startServer);
  stopOnSignals(stop);
  process.on("unhandledRejection", (error) => log.error({ err: error }, "unhandled rejection"));
  let isFailing = false;
  process.on("uncaughtException", (error) => {
    log.error({ err: error }, "uncaught exception");
    if (isFailing) return;
    isFailing = true;
    stop("uncaughtException").finally(() => process.exit(1));
  });
}
