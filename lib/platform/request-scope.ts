import { AsyncLocalStorage } from "node:async_hooks";

/** What the server entry and the handler of one request share. */
export type RequestScope = {
  /** The request's id, for log lines. */
  id?: string;
  /** Called when a page cannot be rendered because the database failed. */
  onDatabaseFailure?: () => void;
  /**
   * The time, on the clock of `performance.now()`, until which an idempotent request may write. Later its Idempotency-Key may
   * belong to a repetition of it (lib/platform/api/idempotency.ts).
   */
  leaseEndsAt?: number;
  /** Called when the address names nothing: the page that is rendered gets status 404. */
  onNotFound?: () => void;
};

// Next bundles pages separately from the server entry. Both reach the same storage through globalThis.
const globals = globalThis as typeof globalThis & { passlaneRequests?: AsyncLocalStorage<RequestScope> };
globals.passlaneRequests ??= new AsyncLocalStorage();
const storage = globals.passlaneRequests;

/** Runs the handler of a request. Its statements use the pool and the limits of requests (db/client.ts). */
export const runRequest = <T>(scope: RequestScope, handle: () => T): T => storage.run(scope, handle);

/** The request that is being handled; undefined in jobs and scripts. */
export const currentRequest = (): RequestScope | undefined => storage.getStore();

/** Gives the page that is being rendered status 404. False without the server entry, which sets the status. */
export function setNotFoundStatus(): boolean {
  const { onNotFound } = currentRequest() ?? {};
  onNotFound?.();
  return onNotFound !== undefined;
}

/** Runs work that goes on after the response of a request, with the pool and the limits of jobs. */
export const runInBackground = <T>(work: () => T): T => storage.exit(work);
