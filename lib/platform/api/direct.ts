import type { IncomingMessage, ServerResponse } from "node:http";
import { createRequest } from "@remix-run/node-fetch-server";
import { FileMemory } from "@/lib/platform/http/file-cache";
import { encodingOf } from "@/lib/platform/page-cache/send";
import { compressed } from "@/lib/platform/page-cache/store";
import { findHandler, PICTURES } from "./handlers";

/**
 * Has a call of the API answered by its handler, without Next's pipeline, which costs more than most calls do
 *. Next answers the first call of each handler, because it loads it, and every address that is
 * not written plainly.
 * @returns false: Next is to answer
 */
export async function answerDirectly(
  request: IncomingMessage,
  response: ServerResponse,
  pathname: string,
): Promise<boolean> {
  const picture = pictureName(request, pathname);
  if (picture && pictures.answer(picture, request, response)) return true;
  const found = findHandler(request.method, pathname);
  if (!found) return false;
  const asked = createRequest(request, response, { protocol: "http:", host: "localhost" });
  try {
    const answer = await found.handler(asked, { params: Promise.resolve(found.params) });
    const body = await send(request, response, answer);
    if (picture) keepPicture(picture, answer, body);
  } finally {
    // What a refusal left unread would stop the next request on this connection, who knows whose: Node reads it away
    // only where nobody has listened to it.
    if (!request.readableEnded) request.removeAllListeners("data").resume();
  }
  return true;
}

const PICTURES_BYTES = 32 * 1024 * 1024;
const pictures = new FileMemory(PICTURES_BYTES);

const VERSIONED = /^\?v=[\w.%-]{1,64}(&width=\d{1,4})?$/;

/**
 * What a picture is kept by: its address, which names its version, and the formats that are accepted; undefined for all
 * else that is asked, and where somebody refuses a format.
 */
function pictureName({ method, url = "", headers }: IncomingMessage, pathname: string): string | undefined {
  const { accept = "" } = headers;
  const plain = method === "GET" && headers["if-none-match"] === undefined && !accept.includes("q=0");
  if (!plain || !pathname.startsWith(PICTURES) || !VERSIONED.test(url.slice(pathname.length)))
    return undefined;
  return `${url} ${["image/avif", "image/webp"].map((type) => accept.toLowerCase().includes(type))}`;
}

const LASTING = ["content-type", "cache-control", "etag", "vary", "x-content-type-options"];

/** The handler says whether it may be kept for ever. Only what is of the picture itself is kept. */
function keepPicture(name: string, { status, headers }: Response, body: Buffer): void {
  if (!headers.get("cache-control")?.includes("immutable") || headers.has("set-cookie")) return;
  const lasting = Object.fromEntries([...headers].filter(([header]) => LASTING.includes(header)));
  pictures.keep(name, { status, headers: { ...lasting, "content-length": `${body.length}` }, body });
}

const COMPRESSED = /^text\/|\b(json|javascript)\b/;
/** Shorter answers fit a packet as they are. */
const COMPRESSED_FROM = 1024;

async function send(request: IncomingMessage, response: ServerResponse, answer: Response): Promise<Buffer> {
  const { status, headers } = answer;
  let body: Buffer = Buffer.from(await answer.arrayBuffer());
  if (COMPRESSED.test(headers.get("content-type") ?? "") && body.length >= COMPRESSED_FROM) {
    headers.append("vary", "Accept-Encoding");
    const encoding = encodingOf(request.headers["accept-encoding"]);
    if (encoding !== "identity") {
      headers.set("content-encoding", encoding);
      body = await compressed(body, encoding);
    }
  }
  if (response.destroyed) return body; // who asked has gone
  for (const [name, value] of headers) if (name !== "set-cookie") response.setHeader(name, value);
  const cookies = headers.getSetCookie();
  if (cookies.length > 0) response.setHeader("set-cookie", cookies);
  if (status !== 304 && status !== 204) response.setHeader("content-length", body.length);
  response.writeHead(status);
  response.end(request.method === "HEAD" ? undefined : body);
  return body;
}
