import { AsyncLocalStorage } from "node:async_hooks";
import type { PlainResponse } from "./http/refusal";

/** The data of one request (lib/platform/http/prepare-requests.ts). Tests omit what they do not need. */
export type RequestScope = {
  /** The request's id, for log lines. */
  id?: string;
  /** Its path and query. */
  url?: string;
  /** The same without parameters that do not change a cached page, as Next renders it. */
  rendered?: string;
  /** The client's address. */
  ip?: string;
  /** Its `Accept-Language`. */
  language?: string;
  /** The request is for a document and accepts gzip. */
  takesGzip?: boolean;
  /** The response in place of any page or call (app/refused/route.ts). */
  refusal?: PlainResponse;
  /** The cache tags of the page that is being rendered (lib/platform/page-cache/tags.ts). */
  tags?: Set<string>;
  /** The database failed while the page was rendered, so that the page gets status 503. */
  databaseFailed?: boolean;
  /** Called when the page does not exist, so that it gets status 404. */
  onNotFound?: () => void;
  /** Calls back when the response has ended, or its reader has disconnected. */
  onClose?: (call: () => void) => void;
  /**
   * The time, on the clock of `performance.now()`, until which an idempotent request may write. Later its Idempotency-Key may
   * belong to a repetition of it (lib/platform/api/idempotency.ts).
   */
  leaseEndsAt?: number;
};

// Next bundles instrumentation.ts separately from pages. Both reach the same storage through globalThis.
const globals = globalThis as typeof globalThis & { passlaneRequests?: AsyncLocalStorage<RequestScope> };
globals.passlaneRequests ??= new AsyncLocalStorage();
const storage = globals.passlaneRequests;

/** Runs the handler of a request. Its statements use the pool and the limits of requests (db/client.ts). */
export const runRequest = <T>(scope: RequestScope, handle: () => T): T => storage.run(scope, handle);

/** Gives the scope to all that follows in the request whose event is being handled. */
export const enterRequest = (scope: RequestScope): void => storage.enterWith(scope);

/** The request that is being handled; undefined in jobs and scripts. */
export const currentRequest = (): RequestScope | undefined => storage.getStore();

/** Runs work that goes on after the response of a request, with the pool and the limits of jobs. */
export const runInBackground = <T>(work: () => T): T => storage.exit(work);
