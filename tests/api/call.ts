import type { Handler } from "@/lib/platform/api/declaration";
import type { Envelope } from "@/lib/platform/api/response";
import { clientAddress } from "@/tests/setup/client-address";

export type CallOptions = {
  method?: string;
  query?: string;
  params?: Record<string, string>;
  body?: unknown;
  /** Sent unchanged instead of `body`. */
  raw?: BodyInit;
  headers?: Record<string, string>;
  /** The client's IP address. A random one by default, so that calls do not share rate limits. */
  ip?: string;
};
// biome-ignore lint/suspicious/noExplicitAny: tests read fields of any response
export type CallResult = { status: number; headers: Headers; body: Omit<Envelope, "data"> & { data: any } };

export const authHeaders = (user?: { bearer: string } | null, language = "en"): Record<string, string> => ({
  "accept-language": language,
  ...(user && { authorization: user.bearer }),
});

/** Calls a route handler as the server does, and parses the envelope of its response. */
export async function call(handler: Handler, path: string, options: CallOptions = {}): Promise<CallResult> {
  const method = options.method ?? (options.body === undefined && options.raw === undefined ? "GET" : "POST");
  const headers = new Headers({
    host: "localhost:3000",
    "x-forwarded-for": options.ip ?? clientAddress(),
    ...options.headers,
  });
  if (options.body !== undefined && !headers.has("content-type"))
    headers.set("content-type", "application/json");
  const request = new Request(
    `http://localhost:3000/api/v1${path}${options.query ? `?${options.query}` : ""}`,
    {
      method,
      headers,
      body: options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body)),
    },
  );
  const response = await handler(request, { params: Promise.resolve(options.params ?? {}) });
  return { status: response.status, headers: response.headers, body: await response.json() };
}
