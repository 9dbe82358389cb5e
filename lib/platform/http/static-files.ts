import type { IncomingMessage, ServerResponse } from "node:http";
import sirv from "sirv";
import { env } from "@/lib/platform/env";
import { capturePage } from "@/lib/platform/page-cache/render-to-buffer";
import { encodingOf } from "@/lib/platform/page-cache/send";
import { FileMemory } from "./file-cache";
import { BASE_HEADERS, securityHeaders } from "./security-headers";

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Where Next's scripts, styles and fonts are asked for. */
const PREFIX = "/_next/static";
/** What browsers ask for beside a page, whoever looks at it. */
const SIGNS = new Set(["/favicon.ico", "/icon.svg", "/apple-icon.png", "/manifest.webmanifest"]);
const YEAR_SECONDS = 31_536_000;
const DAY_SECONDS = 86_400;

/** A build weighs 2 MB, once in each encoding. */
const KEPT_BYTES = 16 * 1024 * 1024;

export type StaticFiles = {
  /** Answers a file of the build; false: there is none of this name, or Next is to answer. */
  serve(request: IncomingMessage, response: ServerResponse, pathname: string): boolean;
};

/**
 * The files of a finished build, in front of Next: each name stands for its bytes for ever, and scripts/build.mjs has
 * laid them compressed beside it. Next would compress them anew for every visitor, which costs more than the page. What
 * was asked for once is answered from memory: opening, reading and closing a file costs ten times as much as sending it.
 */
export function openStaticFiles(folder: string, pages: Handler): StaticFiles {
  const memory = new FileMemory(KEPT_BYTES);
  const sendFile = openFolder(folder, memory);
  return {
    serve(request, response, pathname) {
      const { method } = request;
      if (method !== "GET" && method !== "HEAD") return false;
      if (pathname.startsWith(`${PREFIX}/`)) return sendFile(request, response, pathname);
      return SIGNS.has(pathname) && sendSign(request, response, { pathname, pages, memory });
    },
  };
}

function openFolder(folder: string, memory: FileMemory): StaticFiles["serve"] {
  const send = sirv(folder, {
    gzip: true,
    brotli: true,
    extensions: [],
    immutable: true,
    maxAge: YEAR_SECONDS,
    setHeaders(response) {
      for (const [name, value] of Object.entries(BASE_HEADERS)) response.setHeader(name, value);
    },
  });
  const read = async (request: IncomingMessage, gathered: ServerResponse) =>
    send(request, gathered, () => void gathered.writeHead(404).end());
  return (request, response, pathname) => {
    const { url, headers } = request;
    const encoding = encodingOf(headers["accept-encoding"]);
    const name = `${encoding} ${pathname}`;
    if (headers.range === undefined && memory.answer(name, request, response)) return true;
    let served = true;
    const path = pathname.slice(PREFIX.length);
    request.url = path;
    send(request, response, () => {
      served = false; // called before `send` returns
      request.url = url;
    });
    // One name for each file: a percent sign may spell it otherwise.
    if (served && !path.includes("%"))
      memory.read(name, () => capturePage(read, path, { "accept-encoding": encoding }));
    return served;
  };
}

type Sign = { pathname: string; pages: Handler; memory: FileMemory };

function sendSign(
  request: IncomingMessage,
  response: ServerResponse,
  { pathname, pages, memory }: Sign,
): boolean {
  if (memory.answer(pathname, request, response)) return true;
  memory.read(pathname, async () => {
    const { status, headers, body } = await capturePage(pages, pathname, { host: "localhost" });
    const https = env().APP_URL.startsWith("https:");
    const own = securityHeaders(pathname, { nonce: "", dev: false, stripe: false, https });
    const cached = {
      "cache-control": `public, max-age=${DAY_SECONDS}`,
      "content-length": String(body.length),
    };
    const type = { "content-type": headers["content-type"] ?? "application/octet-stream" };
    return { status, headers: { ...own, ...type, ...cached }, body };
  });
  return false;
}
