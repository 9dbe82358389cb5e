import { randomUUID } from "node:crypto";
import type { Handler } from "@/lib/platform/api/declaration";
import type { Envelope } from "@/lib/platform/api/response";

export type Sent = {
  method?: string;
  query?: string;
  params?: Record<string, string>;
  body?: unknown;
  /** Sent as it is instead of `body`. */
  raw?: BodyInit;
  headers?: Record<string, string>;
  /** The client's address; a fresh one each time unless it is given, so that limits do not meet. */
  ip?: string;
};
// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the call answered
export type Answered = { status: number; headers: Headers; body: Omit<Envelope, "data"> & { data: any } };

const randomIp = () =>
  `10.${randomUUID()
    .slice(0, 6)
    .match(/../g)
    ?.map((pair) => Number.parseInt(pair, 16))
    .join(".")}`;

/** Calls a route handler as the server would, and reads its envelope. */
export async function call(handler: Handler, path: string, sent: Sent = {}): Promise<Answered> {
  const method = sent.method ?? (sent.body === undefined && sent.raw === undefined ? "GET" : "POST");
  const headers = new Headers({
    host: "localhost:3000",
    "x-forwarded-for": sent.ip ?? randomIp(),
    ...sent.headers,
  });
  if (sent.body !== undefined && !headers.has("content-type"))
    headers.set("content-type", "application/json");
  const request = new Request(`http://localhost:3000/api/v1${path}${sent.query ? `?${sent.query}` : ""}`, {
    method,
    headers,
    body: sent.raw ?? (sent.body === undefined ? undefined : JSON.stringify(sent.body)),
  });
  const response = await handler(request, { params: Promise.resolve(sent.params ?? {}) });
  return { status: response.status, headers: response.headers, body: await response.json() };
}
