import type { IncomingMessage, ServerResponse } from "node:http";
import sirv from "sirv";
import { BASE_HEADERS } from "./security-headers";

/** The path of Next's scripts, styles and fonts. */
const PREFIX = "/_next/static";
const YEAR_SECONDS = 31_536_000;

/** Sends a file of the build. Returns false if there is no file of this name. */
export type ServeStaticFile = (
  request: IncomingMessage,
  response: ServerResponse,
  pathname: string,
) => boolean;

/**
 * Serves the static files of a build in front of Next. A file never changes under its name, and scripts/build.mjs writes
 * compressed copies. Next would compress each file again for every request, which costs more than the page.
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
