import type { IncomingMessage, ServerResponse } from "node:http";
import { memoize } from "@/lib/platform/memoize";
import type { Encoding, FinishedPage } from "./store";

/** The header lines of a page in one encoding, name after value, made once: making them anew costs more than sending. */
const lines = new WeakMap<FinishedPage, Partial<Record<Encoding, string[]>>>();

function linesOf(page: FinishedPage, encoding: Encoding, length: number): string[] {
  const known = lines.get(page) ?? {};
  lines.set(page, known);
  known[encoding] ??= [
    ...Object.entries(page.headers).flat(),
    "etag",
    page.etag,
    "content-length",
    String(length),
    ...(encoding === "identity" ? [] : ["content-encoding", encoding]),
  ];
  return known[encoding];
}

/** Sends a page whose bytes are there in the encoding that is asked for; false: they are yet to be made. */
export function sendNow(
  request: IncomingMessage,
  response: ServerResponse,
  page: FinishedPage,
  cacheStatus: string,
): boolean {
  const encoding = encodingOf(request.headers["accept-encoding"]);
  const body = page.encoded(encoding);
  if (body instanceof Promise) return false;
  send(request, response, page, { encoding, body, cacheStatus });
  return true;
}

/** As `sendNow`, waiting for the bytes. */
export async function sendPage(
  request: IncomingMessage,
  response: ServerResponse,
  page: FinishedPage,
  cacheStatus: string,
): Promise<void> {
  const encoding = encodingOf(request.headers["accept-encoding"]);
  send(request, response, page, { encoding, body: await page.encoded(encoding), cacheStatus });
}

type Chosen = { encoding: Encoding; body: Buffer; cacheStatus: string };

/** In one piece, past `setHeader`: what is set one by one is checked, kept and read again. */
function send(
  request: IncomingMessage,
  response: ServerResponse,
  page: FinishedPage,
  { encoding, body, cacheStatus }: Chosen,
): void {
  const { etag, status } = page;
  const id = request.headers["x-request-id"];
  const own = ["cache-status", cacheStatus, ...(typeof id === "string" ? ["x-request-id", id] : [])];
  if (status === 200 && matches(request.headers["if-none-match"], etag)) {
    const { "content-type": _, ...rest } = page.headers;
    response.writeHead(304, [...Object.entries(rest).flat(), "etag", etag, ...own]);
    response.end();
    return;
  }
  response.writeHead(status, linesOf(page, encoding, body.length).concat(own));
  response.end(request.method === "HEAD" ? undefined : body);
}

const matches = (asked: string | undefined, etag: string) =>
  asked !== undefined &&
  (asked === "*" || asked.split(",").some((one) => one.trim().replace(/^W\//, "") === etag));

/** The best of what is accepted; `q=0` refuses. */
export const encodingOf = (accepted: string | string[] | undefined): Encoding =>
  bestOf(String(accepted ?? ""));

const bestOf = memoize((accepted): Encoding => {
  const offers = accepted
    .toLowerCase()
    .split(",")
    .filter((offer) => !/;\s*q=0(\.0*)?\s*$/.test(offer))
    .map((offer) => offer.split(";")[0]?.trim());
  return offers.includes("br") ? "br" : offers.includes("gzip") ? "gzip" : "identity";
}, 200);
