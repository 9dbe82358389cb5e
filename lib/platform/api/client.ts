import { SIGNED_OUT_EVENT } from "@/lib/platform/auth/signed-out";
import type { FieldIssue } from "@/lib/platform/errors";
import { browserTimeZone, TIME_ZONE_HEADER } from "@/lib/platform/time-zone";
import type { Address, Body, Data, FileQuery, Query } from "./calls";
import { beacon, commonFields, pageLanguage, queryOf } from "./light-client";

/** The result of a call. `code` is "" when the network failed or 60 s passed. */
export type ApiResult<T> =
  | { ok: true; data: T }
  | { ok: false; code: string; message: string; errors: FieldIssue[]; retryAfterSeconds?: number };

type CallOptions = {
  /** The message when no response arrives; this file contains no texts. */
  networkMessage?: string;
  /** One per submit: a repeated request with the same key runs once. Generated when left out. */
  idempotencyKey?: string;
  signal?: AbortSignal;
  /** A call that no one initiated, so that it never asks for a second factor. */
  background?: boolean;
};

/** Body and query are optional when nothing in them is required. */
type Rest<Input> =
  Record<string, never> extends Input
    ? [input?: Input, options?: CallOptions]
    : [input: Input, options?: CallOptions];
/** A path built at run time; literal paths are checked. */
type Unknown<P extends string> = P & (string extends P ? unknown : never);

/** Path and fields are checked against the declarations; the result has their type. */
type Read = <P extends Address<"GET">>(
  path: P,
  ...rest: Rest<Query<"GET", P>>
) => Promise<ApiResult<Data<"GET", P>>>;
type Write<M extends "POST" | "PUT"> = {
  <P extends Address<M>>(path: P, ...rest: Rest<Body<M, P>>): Promise<ApiResult<Data<M, P>>>;
  <T, P extends string = string>(
    path: Unknown<P>,
    body?: object,
    options?: CallOptions,
  ): Promise<ApiResult<T>>;
};
/** A wrapper around `post` with fixed options. */
export type PostFunction = {
  <P extends Address<"POST">>(path: P, body: Body<"POST", P>): Promise<ApiResult<Data<"POST", P>>>;
  <T, P extends string = string>(path: Unknown<P>, body: object): Promise<ApiResult<T>>;
};
/** Sends a file of a media type that the call declares; other fields stand in the query. */
type SendFile = <P extends Address<"POST">>(
  path: P,
  file: { content: Blob; type: string },
  query: FileQuery<P>,
  options?: CallOptions,
) => Promise<ApiResult<Data<"POST", P>>>;
const TIMEOUT_MS = 60_000; // docs/product.md#10-constants

const FACTOR_REQUIRED = "40314";
let recovery: (() => Promise<boolean>) | undefined;
/**
 * Sets what a console does when the second factor of its session has expired: it asks for it in place and returns
 * whether it was given. The call is then repeated.
 */
export const setFactorRecovery = (recover: typeof recovery): void => {
  recovery = recover;
};

/** The client of /api/v1: authenticated by the browser's cookie, in the page's language. */
export const api = {
  get: get as Read,
  post: writeBy("POST") as Write<"POST">,
  put: writeBy("PUT") as Write<"PUT">,
  file: sendFile as SendFile,
  beacon,
};

function get<T>(path: string, query: object = {}, options: CallOptions = {}): Promise<ApiResult<T>> {
  return send<T>(`${path}?${queryOf(query)}`, { method: "GET" }, options);
}

function sendFile<T>(
  path: string,
  { content, type }: { content: Blob; type: string },
  query: object,
  options: CallOptions = {},
): Promise<ApiResult<T>> {
  const init = { method: "POST", headers: { "content-type": type }, body: content };
  return send<T>(`${path}?${queryOf(query)}`, init, options);
}

function writeBy(method: string) {
  return <T>(path: string, body: object = {}, options: CallOptions = {}): Promise<ApiResult<T>> => {
    const headers = {
      "content-type": "application/json",
      "idempotency-key": options.idempotencyKey ?? newIdempotencyKey(),
    };
    return send<T>(path, { method, headers, body: JSON.stringify({ ...commonFields(), ...body }) }, options);
  };
}

/** A key for a form that stays the same while one submit is retried. */
export const newIdempotencyKey = () => {
  const bytes = crypto.getRandomValues(new Uint8Array(16)); // randomUUID needs https
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
};

/** The message when a response is not an envelope, such as a proxy's error page; every page's layout provides it. */
const systemMessage = () => document.body?.dataset.systemError;

async function send<T>(
  path: string,
  init: RequestInit,
  { networkMessage = "", signal, background }: CallOptions,
): Promise<ApiResult<T>> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const merchant = /\/merchant\/([\w-]+)/.exec(document.URL)?.[1];
  const failure = (message: string): ApiResult<T> => ({ ok: false, code: "", message, errors: [] });
  try {
    const response = await fetch(`/api/v1${path}`, {
      ...init,
      credentials: "same-origin",
      cache: "no-store",
      headers: {
        accept: "application/json",
        "accept-language": pageLanguage(),
        [TIME_ZONE_HEADER]: browserTimeZone(),
        // The merchant whose console is open.
        ...(merchant && { "passlane-merchant": merchant }),
        ...init.headers,
      },
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    const result =
      parseResponse<T>(await response.text(), response.headers) ?? failure(systemMessage() || networkMessage);
    if (result.ok || result.code !== FACTOR_REQUIRED || background || !(await recovery?.())) return result;
    return send<T>(path, init, { networkMessage, signal, background: true });
  } catch {
    return failure(networkMessage);
  }
}

/** Parses a response; undefined if it is not an envelope. Dispatches an event if the session has ended. */
function parseResponse<T>(text: string, headers: Headers): ApiResult<T> | undefined {
  const envelope = parseJson(text);
  if (typeof envelope?.success !== "boolean") return undefined;
  if (envelope.success) return { ok: true, data: envelope.data as T };
  const code = String(envelope.code);
  if (code === "401" || code === "404")
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
