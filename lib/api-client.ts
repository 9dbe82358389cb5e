import { storedSource } from "./carried";
import type { FieldIssue } from "./errors";
import { SIGNED_OUT_EVENT } from "./signed-out-event";

/** What a call comes back with. `code` "" means that no answer came: the network failed, or 60 s passed. */
export type ApiAnswer<T> =
  | { ok: true; data: T }
  | { ok: false; code: string; message: string; errors: FieldIssue[]; retryAfterSeconds?: number };

type CallOptions = {
  /** What to say when no answer comes: this file carries no words. */
  networkMessage?: string;
  /** One per submit: a submit that is sent again with the same key is done once. Made here when left out. */
  idempotencyKey?: string;
  signal?: AbortSignal;
};

type Query = Record<string, string | number | boolean | undefined>;

const TIMEOUT_MS = 60_000; // spec §9

/** The browser's one door to /api/v1: the session rides on the cookie, the language on the page's own. */
export const api = {
  get: <T>(path: string, query: Query = {}, options: CallOptions = {}) => {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries({ ...query, ...carried() }))
      if (value !== undefined) search.set(name, String(value));
    return send<T>(`${path}?${search}`, { method: "GET" }, options);
  },
  post: <T>(path: string, body: object = {}, options: CallOptions = {}) =>
    write<T>("POST", path, body, options),
  /** Says something that nobody waits for: it may outlive the page, is not repeated, and fails in silence. */
  tell: async <T>(path: string, body: object): Promise<T | undefined> => {
    try {
      const response = await fetch(`/api/v1${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ ...carried(), ...body }),
        keepalive: true,
      });
      return ((await response.json()) as { data?: T }).data;
    } catch {
      return undefined;
    }
  },
  put: <T>(path: string, body: object = {}, options: CallOptions = {}) =>
    write<T>("PUT", path, body, options),
};

/** For forms: a key that stays the same while one submit is tried again. */
export const newIdempotencyKey = () => {
  const bytes = crypto.getRandomValues(new Uint8Array(16)); // randomUUID needs https
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
};

function write<T>(method: string, path: string, body: object, options: CallOptions): Promise<ApiAnswer<T>> {
  const headers = {
    "content-type": "application/json",
    "idempotency-key": options.idempotencyKey ?? newIdempotencyKey(),
  };
  return send<T>(path, { method, headers, body: JSON.stringify({ ...carried(), ...body }) }, options);
}

const language = () => document.documentElement.lang.slice(0, 2) || "en";

/** The fields that every call may carry (spec §7): the language, and where the visit came from. */
function carried(): Query {
  const { source, campaign, medium, content } = storedSource() ?? {};
  return { target_lang: language(), source, campaign, medium, content };
}

async function send<T>(path: string, init: RequestInit, options: CallOptions): Promise<ApiAnswer<T>> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await fetch(`/api/v1${path}`, {
      ...init,
      credentials: "same-origin",
      cache: "no-store",
      headers: { accept: "application/json", "accept-language": language(), ...init.headers },
      signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
    });
    const answer = await response.json();
    if (answer.success === true) return { ok: true, data: answer.data };
    const code = String(answer.code);
    if (code === "401" || code === "404")
      dispatchEvent(new CustomEvent(SIGNED_OUT_EVENT, { detail: { code } }));
    const wait = Number(response.headers.get("retry-after"));
    const { message, errors = [] } = answer;
    return { ok: false, code, message, errors, ...(wait > 0 && { retryAfterSeconds: wait }) };
  } catch {
    return { ok: false, code: "", message: options.networkMessage ?? "", errors: [] };
  }
}
