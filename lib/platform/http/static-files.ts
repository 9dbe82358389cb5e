import type { IncomingMessage, ServerResponse } from "node:http";
import sirv from "sirv";
import { BASE_HEADERS } from "./security-headers";

/** Where Next's scripts, styles and fonts are asked for. */
const PREFIX = "/_next/static";
const YEAR_SECONDS = 31_536_000;

/** Answers a file of the build; false: there is none of this name, or Next is to answer. */
export type ServeStaticFile = (
  request: IncomingMessage,
  response: ServerResponse,
  pathname: string,
) => boolean;

/**
 * The files of a finished build, in front of Next: each name stands for its bytes for ever, and scripts/build.mjs puts
 * them compressed beside it. Next would compress them anew for every visitor, which costs more than the page.
 */
export function openStaticFiles(folder: string): ServeStaticFile {
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
  return (request, response, pathname) => {
    const { method, url } = request;
    if ((method !== "GET" && method !== "HEAD") || !pathname.startsWith(`${PREFIX}/`)) return false;
    let served = true;
    request.url = pathname.slice(PREFIX.length);
    send(request, response, () => {
      served = false; // called before `send` returns
      request.url = url;
    });
    return served;
  };
}
