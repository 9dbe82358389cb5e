import { SIGNED_OUT_EVENT } from "@/lib/platform/auth/signed-out-event";
import type { FieldIssue } from "@/lib/platform/errors";
import { readAttribution } from "@/lib/platform/routing/attribution";
import type { GetCalls, PostCalls, PutCalls } from "./calls";

/** What a call comes back with. `code` "" means that no answer came: the network failed, or 60 s passed. */
export type ApiResult<T> =
  | { ok: true; data: T }
  | { ok: false; code: string; message: string; errors: FieldIssue[]; retryAfterSeconds?: number };

type CallOptions = {
  /** What to say when no answer comes: this file carries no words. */
  networkMessage?: string;
  /** What to say when something answers that is not the shop, such as a proxy's page; else as when nothing does. */
  systemMessage?: string;
  /** One per submit: a submit that is sent again with the same key is done once. Made here when left out. */
  idempotencyKey?: string;
  signal?: AbortSignal;
};

type Query = Record<string, string | number | boolean | undefined>;

/** What a call answers in `data`, by method and path: `Answered<"POST", "/cart/add">`. */
export type ResponseData<M extends keyof Calls, P extends keyof Calls[M]> = Calls[M][P] extends {
  data: infer D;
}
  ? D
  : never;
type Calls = { GET: GetCalls; POST: PostCalls; PUT: PutCalls };

/** A body or query may be left out where nothing in it is required. */
type Rest<Input> =
  Record<string, never> extends Input
    ? [input?: Input, options?: CallOptions]
    : [input: Input, options?: CallOptions];
/** A path that is made up while the program runs; a literal one is checked. */
type Unknown<P extends string> = P & (string extends P ? unknown : never);

/** Path and fields are checked against the calls' declarations, and the answer has their shape. */
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
/** A wrapper around `post` that chooses the options itself. */
export type PostFunction = {
  <P extends keyof PostCalls>(path: P, body: PostCalls[P]["body"]): Promise<ApiResult<PostCalls[P]["data"]>>;
  <T, P extends string = string>(path: Unknown<P>, body: object): Promise<ApiResult<T>>;
};
type Tell = {
  <P extends keyof PostCalls>(path: P, body: PostCalls[P]["body"]): Promise<PostCalls[P]["data"] | undefined>;
  <T, P extends string = string>(path: Unknown<P>, body: object): Promise<T | undefined>;
};

const TIMEOUT_MS = 60_000; // docs/product.md#10-constants

/** Who calls: a browser on our pages (its cookie, its language), or a program with a token. */
type Caller = { token?: string; origin?: string; language?: () => string };

/**
 * The calls of /api/v1. Without a token the browser's cookie says who it is; `origin` and `language` are for programs
 * that are no page of the shop.
 */
export function apiClient(caller: Caller = {}) {
  const get = <T>(path: string, query: object = {}, options: CallOptions = {}) => {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries({ ...query, ...carried(caller) }))
      if (value !== undefined) search.set(name, String(value));
    return send<T>(caller, `${path}?${search}`, { method: "GET" }, options);
  };
  const writing =
    (method: string) =>
    <T>(path: string, body: object = {}, options: CallOptions = {}) => {
      const headers = {
        "content-type": "application/json",
        "idempotency-key": options.idempotencyKey ?? newIdempotencyKey(),
      };
      const init = { method, headers, body: JSON.stringify({ ...carried(caller), ...body }) };
      return send<T>(caller, path, init, options);
    };
  return {
    get: get as Read,
    post: writing("POST") as Write<PostCalls>,
    put: writing("PUT") as Write<PutCalls>,
    tell: ((path: string, body: object) => tell(caller, path, body)) as Tell,
  };
}

/** The browser's one door to /api/v1: the session rides on the cookie, the language on the page's own. */
export const api = apiClient();

/** Says something that nobody waits for: it may outlive the page, is not repeated, and fails in silence. */
async function tell(caller: Caller, path: string, body: object): Promise<unknown> {
  try {
    const response = await fetch(`${caller.origin ?? ""}/api/v1${path}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(caller.token && { authorization: `Bearer ${caller.token}` }),
      },
      body: JSON.stringify({ ...carried(caller), ...body }),
      keepalive: true,
    });
    return ((await response.json()) as { data?: unknown }).data;
  } catch {
    return undefined;
  }
}

/** For forms: a key that stays the same while one submit is tried again. */
export const newIdempotencyKey = () => {
  const bytes = crypto.getRandomValues(new Uint8Array(16)); // randomUUID needs https
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
};

const languageOf = ({ language }: Caller) =>
  language?.() ?? (document.documentElement.lang.slice(0, 2) || "en");

/** The fields that every call may carry (docs/product.md#71-conventions): the language, and where the visit came from. */
function carried(caller: Caller): Query {
  const { source, campaign, medium, content } = readAttribution() ?? {};
  return { target_lang: languageOf(caller), source, campaign, medium, content };
}

async function send<T>(
  caller: Caller,
  path: string,
  init: RequestInit,
  options: CallOptions,
): Promise<ApiResult<T>> {
  const { networkMessage = "", systemMessage = networkMessage } = options;
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const unheard = (message: string): ApiResult<T> => ({ ok: false, code: "", message, errors: [] });
  try {
    const response = await fetch(`${caller.origin ?? ""}/api/v1${path}`, {
      ...init,
      credentials: caller.token ? "omit" : "same-origin",
      cache: "no-store",
      headers: {
        accept: "application/json",
        "accept-language": languageOf(caller),
        ...(caller.token && { authorization: `Bearer ${caller.token}` }),
        ...init.headers,
      },
      signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
    });
    const text = await response.text();
    return heard<T>(text, response.headers, caller) ?? unheard(systemMessage);
  } catch {
    return unheard(networkMessage);
  }
}

/** What an answer says; undefined when it is no envelope. A session that is over is told to the page around. */
function heard<T>(text: string, headers: Headers, caller: Caller): ApiResult<T> | undefined {
  const answer = read(text);
  if (typeof answer?.success !== "boolean") return undefined;
  if (answer.success) return { ok: true, data: answer.data as T };
  const code = String(answer.code);
  if (!caller.token && (code === "401" || code === "404"))
    dispatchEvent(new CustomEvent(SIGNED_OUT_EVENT, { detail: { code } }));
  const wait = Number(headers.get("retry-after"));
  const { message = "", errors = [] } = answer;
  return { ok: false, code, message, errors, ...(wait > 0 && { retryAfterSeconds: wait }) };
}

type Said = { success?: unknown; code?: unknown; message?: string; data?: unknown; errors?: FieldIssue[] };

function read(text: string): Said | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
