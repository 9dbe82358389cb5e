import { SIGNED_OUT_EVENT } from "@/lib/platform/auth/signed-out";
import type { FieldIssue } from "@/lib/platform/errors";
import { readAttribution } from "@/lib/platform/routing/attribution";
import type { GetCalls, PostCalls, PutCalls } from "./calls";

/** The result of a call. `code` is "" when the network failed or 60 s passed. */
export type ApiResult<T> =
  | { ok: true; data: T }
  | { ok: false; code: string; message: string; errors: FieldIssue[]; retryAfterSeconds?: number };

type CallOptions = {
  /** The message when no response arrives; this file contains no texts. */
  networkMessage?: string;
  /** The message when the response is no envelope, such as a proxy's error page; default: `networkMessage`. */
  systemMessage?: string;
  /** One per submit: a repeated request with the same key runs once. Generated when left out. */
  idempotencyKey?: string;
  signal?: AbortSignal;
};

type Query = Record<string, string | number | boolean | undefined>;

/** Body and query are optional when nothing in them is required. */
type Rest<Input> =
  Record<string, never> extends Input
    ? [input?: Input, options?: CallOptions]
    : [input: Input, options?: CallOptions];
/** A path built at run time; literal paths are checked. */
type Unknown<P extends string> = P & (string extends P ? unknown : never);

/** Path and fields are checked against the declarations; the result has their type. */
type Read = {
  <P extends keyof GetCalls>(
    path: P,
    ...rest: Rest<GetCalls[P]["query"]>
  ): Promise<ApiResult<GetCalls[P]["data"]>>;
  <T, P extends string = string>(
    path: Unknown<P>,
    query?: Query,
    options?: CallOptions,
  ): Promise<ApiResult<T>>;
};
type Write<C extends { [path in keyof C]: { body: unknown; data: unknown } }> = {
  <P extends keyof C>(path: P, ...rest: Rest<C[P]["body"]>): Promise<ApiResult<C[P]["data"]>>;
  <T, P extends string = string>(
    path: Unknown<P>,
    body?: object,
    options?: CallOptions,
  ): Promise<ApiResult<T>>;
};
/** A wrapper around `post` with fixed options. */
export type PostFunction = {
  <P extends keyof PostCalls>(path: P, body: PostCalls[P]["body"]): Promise<ApiResult<PostCalls[P]["data"]>>;
  <T, P extends string = string>(path: Unknown<P>, body: object): Promise<ApiResult<T>>;
};
type Tell = {
  <P extends keyof PostCalls>(path: P, body: PostCalls[P]["body"]): Promise<PostCalls[P]["data"] | undefined>;
  <T, P extends string = string>(path: Unknown<P>, body: object): Promise<T | undefined>;
};

const TIMEOUT_MS = 60_000; // docs/product.md#10-constants

/** The caller: a browser (cookie and page language), or a program with a token. */
type Caller = { token?: string; origin?: string; language?: () => string };

/**
 * The client of /api/v1. Without a token the browser's cookie authenticates; `origin` and `language` are for
 * programs.
 */
export function apiClient(caller: Caller = {}) {
  const get = <T>(path: string, query: object = {}, options: CallOptions = {}) => {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries({ ...query, ...commonFields(caller) }))
      if (value !== undefined) search.set(name, String(value));
    return send<T>(caller, `${path}?${search}`, { method: "GET" }, options);
  };
  const writeMethod =
    (method: string) =>
    <T>(path: string, body: object = {}, options: CallOptions = {}) => {
      const headers = {
        "content-type": "application/json",
        "idempotency-key": options.idempotencyKey ?? newIdempotencyKey(),
      };
      const init = { method, headers, body: JSON.stringify({ ...commonFields(caller), ...body }) };
      return send<T>(caller, path, init, options);
    };
  return {
    get: get as Read,
    post: writeMethod("POST") as Write<PostCalls>,
    put: writeMethod("PUT") as Write<PutCalls>,
    tell: ((path: string, body: object) => tell(caller, path, body)) as Tell,
  };
}

/** The browser's client: authenticated by the cookie, in the page's language. */
export const api = apiClient();

/** Sends a request without waiting: it may outlive the page, is not retried, and fails silently. */
async function tell(caller: Caller, path: string, body: object): Promise<unknown> {
  try {
    const response = await fetch(`${caller.origin ?? ""}/api/v1${path}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(caller.token && { authorization: `Bearer ${caller.token}` }),
      },
      body: JSON.stringify({ ...commonFields(caller), ...body }),
      keepalive: true,
    });
    return ((await response.json()) as { data?: unknown }).data;
  } catch {
    return undefined;
  }
}

/** A key for a form that stays the same while one submit is retried. */
export const newIdempotencyKey = () => {
  const bytes = crypto.getRandomValues(new Uint8Array(16)); // randomUUID needs https
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
};

const requestLanguage = ({ language }: Caller) =>
  language?.() ?? (document.documentElement.lang.slice(0, 2) || "en");

/** The fields that every call sends (docs/product.md#71-conventions): language and attribution. */
function commonFields(caller: Caller): Query {
  const { source, campaign, medium, content } = readAttribution() ?? {};
  return { target_lang: requestLanguage(caller), source, campaign, medium, content };
}

async function send<T>(
  caller: Caller,
  path: string,
  init: RequestInit,
  options: CallOptions,
): Promise<ApiResult<T>> {
  const { networkMessage = "", systemMessage = networkMessage } = options;
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const failure = (message: string): ApiResult<T> => ({ ok: false, code: "", message, errors: [] });
  try {
    const response = await fetch(`${caller.origin ?? ""}/api/v1${path}`, {
      ...init,
      credentials: caller.token ? "omit" : "same-origin",
      cache: "no-store",
      headers: {
        accept: "application/json",
        "accept-language": requestLanguage(caller),
        ...(caller.token && { authorization: `Bearer ${caller.token}` }),
        ...init.headers,
      },
      signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
    });
    const text = await response.text();
    return parseResponse<T>(text, response.headers, caller) ?? failure(systemMessage);
  } catch {
    return failure(networkMessage);
  }
}

/** Parses a response; undefined if it is no envelope. Dispatches an event if the session has ended. */
function parseResponse<T>(text: string, headers: Headers, caller: Caller): ApiResult<T> | undefined {
  const envelope = parseJson(text);
  if (typeof envelope?.success !== "boolean") return undefined;
  if (envelope.success) return { ok: true, data: envelope.data as T };
  const code = String(envelope.code);
  if (!caller.token && (code === "401" || code === "404"))
    dispatchEvent(new CustomEvent(SIGNED_OUT_EVENT, { detail: { code } }));
  const retryAfterSeconds = Number(headers.get("retry-after"));
  const { message = "", errors = [] } = envelope;
  return { ok: false, code, message, errors, ...(retryAfterSeconds > 0 && { retryAfterSeconds }) };
}

type ParsedEnvelope = {
  success?: unknown;
  code?: unknown;
  message?: string;
  data?: unknown;
  errors?: FieldIssue[];
};

function parseJson(text: string): ParsedEnvelope | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
