import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import next from "next";
import { closeDatabase } from "@/db/client";
import { schemaVersion } from "@/db/version";
import { answerDirectly } from "@/lib/platform/api/direct";
import { methodNotAllowed } from "@/lib/platform/api/method-not-allowed";
import { type Env, env } from "@/lib/platform/env";
import { cleanHeaders } from "@/lib/platform/http/sanitize-headers";
import { securityHeaders, wantsNonce } from "@/lib/platform/http/security-headers";
import { openStaticFiles, type StaticFiles } from "@/lib/platform/http/static-files";
import type { Worker } from "@/lib/platform/jobs/worker";
import { log } from "@/lib/platform/log";
import { openPageCache, type PageCache } from "@/lib/platform/page-cache/page-cache";
import { readiness } from "@/lib/platform/readiness";
import {
  decideRoute,
  ROUTED_HEADER,
  type RouteDecision,
  routingCookies,
} from "@/lib/platform/routing/decide-route";
import { LOCALE_HEADER, parsePath } from "@/lib/platform/routing/paths";

/** Load balancers see "not ready" for this long before the door closes; Ctrl-C does not wait for them. */
const NOTICE_MS = 1_000;
const DRAIN_MS = 6_000;
const FORCE_AFTER_MS = 1_000;

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;
/** Undefined: it was answered at once. */
type Front = (request: IncomingMessage, response: ServerResponse) => Promise<void> | undefined;
type State = { draining: boolean; worker?: Worker; cache?: PageCache; files?: StaticFiles };
export type RunningServer = { port: number; stop: (signal?: string) => Promise<void> };

/**
 * The server entry: Next's documented custom server with what must stand in front of it — request ids, clean
 * headers, redirects, security headers, health — and the background worker. Resolves once requests are served.
 */
export async function startServer(): Promise<RunningServer> {
  const { PORT: port, DEV: dev, WORKER, PAGE_CACHE_MB } = env();
  const state: State = { draining: false };
  let handle: Front = (_, response) => answer(response, 503, { starting: true });
  const server = createServer((request, response) => {
    try {
      handle(request, response)?.catch((error) => failed(error, request, response));
    } catch (error) {
      failed(error, request, response);
    }
  });
  server.requestTimeout = 65_000;
  // Longer than a proxy keeps its connections (nginx and most balancers: 60 s): a request that is sent while the other
  // end closes is lost.
  server.keepAliveTimeout = 75_000;
  server.headersTimeout = 80_000;
  // Bound to every address and without a host name for Next: 127.0.0.1 breaks its rewrites.
  await listen(server, port);
  const app = next({ dev, port, httpServer: server });
  await app.prepare();
  const pages = app.getRequestHandler();
  if (!dev) state.files = openStaticFiles(".next/static", pages);
  if (!dev && PAGE_CACHE_MB > 0) state.cache = await openPageCache(pages, PAGE_CACHE_MB * 1024 * 1024);
  handle = (request, response) => serve(request, response, state, pages);

  if (WORKER === "inline") {
    const { startWorker } = await import("@/scripts/work");
    state.worker = await startWorker();
  }
  log.info(
    { port, dev, worker: workerState(state), mode: env().APP_MODE, payments: env().PAYMENT_MODE },
    "serving",
  );

  const stop = async (signal = "stop") => {
    state.draining = true;
    log.info({ signal }, "stopping: no longer ready");
    if (signal === "SIGTERM" && !dev) await wait(NOTICE_MS);
    await Promise.all([drain(server), state.worker && atMost(DRAIN_MS, state.worker.stop())]);
    await atMost(500, state.cache?.stop() ?? Promise.resolve());
    if (dev) await atMost(1_000, app.close());
    await atMost(1_500, closeDatabase());
    log.info({}, "stopped");
  };
  return { port, stop };
}

/** The envelope of the API, so that a caller of any address can read it. */
const BAD_REQUEST = { code: "400", state: 400, success: false, message: "Bad request", data: null };

/** Next answers 500 to a path whose percent signs mean nothing. */
function isDecodable(pathname: string): boolean {
  if (!pathname.includes("%")) return true;
  try {
    return decodeURIComponent(pathname) !== "";
  } catch {
    return false;
  }
}

function workerState({ worker }: State): "running" | "off" | "failed" {
  if (!worker) return "off";
  return worker.isRunning() ? "running" : "failed";
}

/** Kept pages are answered without a promise on the way: each costs microseconds, once for every request. */
function serve(
  request: IncomingMessage,
  response: ServerResponse,
  state: State,
  pages: Handler,
): Promise<void> | undefined {
  const { TRUSTED_PROXIES: trustedProxies } = env();
  const id = cleanHeaders(request.headers, { remoteAddress: request.socket.remoteAddress, trustedProxies });
  if (state.draining) response.setHeader("Connection", "close");

  const url = request.url ?? "/";
  const end = url.indexOf("?");
  const pathname = end < 0 ? url : url.slice(0, end);
  const search = end < 0 ? "" : url.slice(end);
  if (!url.startsWith("/") || !isDecodable(pathname)) {
    response.setHeader("X-Request-Id", id);
    return answer(response, 400, BAD_REQUEST);
  }
  if (state.files?.serve(request, response, pathname)) return undefined;
  const decision = decide(request, pathname, search);
  const kept = decision.kind === "pass" && state.cache?.serve(request, response, pathname, search);
  if (kept === true) return undefined;
  const asked: Asked = { id, pathname, search, decision };
  const rest = () => serveRest(request, response, { state, pages, asked });
  return kept ? kept.then((was) => (was ? undefined : rest())) : rest();
}

type Asked = { id: string; pathname: string; search: string; decision: RouteDecision };
type Means = { state: State; pages: Handler; asked: Asked };

/** All that is no kept page. */
async function serveRest(
  request: IncomingMessage,
  response: ServerResponse,
  { state, pages, asked: { id, pathname, search, decision } }: Means,
): Promise<void> {
  const { DEV: dev } = env();
  response.setHeader("X-Request-Id", id);
  if (pathname === "/healthz") return answer(response, 200, { ok: true });
  if (pathname === "/readyz") {
    const report = await readiness({
      draining: state.draining,
      worker: workerState(state),
      schema: schemaVersion,
      env: env(),
    });
    return answer(response, report.ready ? 200 : 503, report);
  }

  const refused = await methodNotAllowed(request, pathname, new URLSearchParams(search).get("target_lang"));
  if (refused) return void response.writeHead(refused.status, refused.headers).end(refused.body);
  if (decision.kind === "redirect") return redirect(response, decision);
  // What a write answers is a few bytes: Next would compress them all the same, which costs more than they do.
  if (pathname.startsWith("/api/") && request.method !== "GET") delete request.headers["accept-encoding"];
  request.headers[ROUTED_HEADER] = "1";
  request.headers[LOCALE_HEADER] = parsePath(pathname).locale;

  const nonce = wantsNonce(pathname) ? randomBytes(16).toString("base64") : "";
  const headers = securityHeaders(pathname, { nonce, dev, ...providersOf(env()) });
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (headers.Vary) keepVary(response, headers.Vary);
  // Next takes the nonce for its own scripts from the request's policy.
  if (nonce) request.headers["content-security-policy"] = headers["Content-Security-Policy"];

  const begun = performance.now();
  response.once("finish", () => {
    const level = response.statusCode >= 500 ? "warn" : "debug";
    const ms = Math.round(performance.now() - begun);
    log[level]({ id, method: request.method, path: pathname, status: response.statusCode, ms }, "answered");
  });
  if (!dev && (await answerDirectly(request, response, pathname))) return;
  await pages(request, response);
}

/** Whom the pages may talk to beside us. */
const providersOf = ({ PAYMENT_MODE, APP_URL, GOOGLE_CLIENT_ID, GOOGLE_SCRIPT_URL }: Env) => ({
  stripe: PAYMENT_MODE !== "sandbox",
  google: GOOGLE_CLIENT_ID ? GOOGLE_SCRIPT_URL : undefined,
  https: APP_URL.startsWith("https:"),
});

/** Next replaces `Vary` with its own list; ours stays part of it. */
function keepVary(response: ServerResponse, kept: string): void {
  const setHeader = response.setHeader.bind(response);
  response.setHeader = (name, value) => {
    const list = String(value);
    const whole = name.toLowerCase() === "vary" && !list.includes(kept) ? `${kept}, ${list}` : value;
    return setHeader(name, whole);
  };
}

/** A failure here lets the navigation proceed (docs/product.md#24-navigation). */
function decide(request: IncomingMessage, pathname: string, search: string): RouteDecision {
  if (request.method !== "GET" && request.method !== "HEAD") return { kind: "pass" };
  try {
    const { "user-agent": userAgent, cookie } = request.headers;
    return decideRoute({ pathname, search, userAgent, cookies: routingCookies(cookie) });
  } catch (error) {
    log.error({ err: error, path: pathname }, "the route decision failed");
    return { kind: "pass" };
  }
}

function redirect(
  response: ServerResponse,
  { location, status }: Extract<RouteDecision, { kind: "redirect" }>,
): void {
  response.writeHead(status, {
    Location: location,
    "Cache-Control": "no-store",
    Vary: "User-Agent",
    "Content-Length": 0,
  });
  response.end();
}

function answer(response: ServerResponse, status: number, body: unknown): undefined {
  response.writeHead(status, {
    "Content-Type": "application/json; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
  });
  response.end(JSON.stringify(body));
}

function failed(error: unknown, request: IncomingMessage, response: ServerResponse): void {
  log.error(
    { err: error, id: request.headers["x-request-id"], path: request.url?.split("?")[0] },
    "request failed",
  );
  if (response.headersSent) return void response.destroy();
  response.setHeader("X-Request-Id", String(request.headers["x-request-id"]));
  answer(response, 500, { error: "internal error" });
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((done, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(
        error.code === "EADDRINUSE"
          ? new Error(`Port ${port} is taken: stop what uses it, or set PORT.`)
          : error,
      ),
    );
    server.listen(port, () => done());
  });
}

/** No new connections; those at work end by themselves, or after DRAIN_MS by force. */
async function drain(server: Server): Promise<void> {
  const closed = new Promise<void>((done) => server.close(() => done()));
  const idle = setInterval(() => server.closeIdleConnections(), 100);
  await atMost(DRAIN_MS, closed);
  clearInterval(idle);
  server.closeAllConnections();
}

const wait = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/** Gives up waiting after a while, so that an orderly end always comes. */
async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  await Promise.race([work.catch((error) => log.error({ err: error }, "did not stop cleanly")), wait(ms)]);
}

/**
 * Ends the process in order on SIGTERM and SIGINT; a second signal ends it at once. One that follows within a second
 * is the same Ctrl-C again, forwarded by the starter.
 */
export function stopOnSignals(stop: (signal: string) => Promise<void>): void {
  let since = 0;
  const onSignal = (signal: string) => {
    if (since && Date.now() - since > FORCE_AFTER_MS) process.exit(1);
    if (since) return;
    since = Date.now();
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
  try {
    const { stop } = await startServer();
    stopOnSignals(stop);
    process.on("unhandledRejection", (error) => log.error({ err: error }, "unhandled rejection"));
    process.on("uncaughtException", (error) => {
      log.error({ err: error }, "uncaught exception");
      stop("uncaughtException").finally(() => process.exit(1));
    });
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
