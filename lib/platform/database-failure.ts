import { serializeError } from "./serialize-error";

/** Seconds after which a request that the database failed should be sent again: its `Retry-After`. */
export const RETRY_AFTER_SECONDS = 5;

/**
 * SQLSTATEs of a database that cannot work now: connection failures (08), no resources such as disk or connections (53),
 * a timeout of a statement or lock, a shutdown, an I/O error, and a standby that takes no writes.
 */
const UNAVAILABLE = /^(08...|53...|55P03|57014|57P0[1-5]|58030|25006)$/;
/** Codes of the driver and of the network for a lost or refused connection. */
const CONNECTION_CODES = new Set([
  "CONNECTION_CLOSED",
  "CONNECTION_DESTROYED",
  "CONNECTION_ENDED",
  "CONNECT_TIMEOUT",
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
]);
/** What the driver pg throws, without a code, when a connection ends; a proxy without a primary accepts and closes it. */
const LOST_MESSAGE = /^Connection terminated/;
const DISK_FULL = "53100";
/** How long `isDatabaseFull` holds after a failure. */
const FULL_MS = 10_000;

/** The database does not answer, or has failed a render. */
export class DatabaseDownError extends Error {
  override name = "DatabaseDownError";
  readonly code = "CONNECT_TIMEOUT";
}

const globals = globalThis as typeof globalThis & { passlaneDatabaseFullAt?: number };

const codesOf = (error: unknown): string[] => {
  const codes: string[] = [];
  for (
    let part: ReturnType<typeof serializeError> | undefined = serializeError(error);
    part;
    part = part.cause
  )
    if (part.code) codes.push(part.code);
  return codes;
};

/**
 * True if the database failed, not the statement: the same request may succeed later. Of a network error it is assumed
 * that the connection was the database's; the clients of providers throw their own errors.
 */
export function isDatabaseFailure(error: unknown): boolean {
  const codes = codesOf(error);
  if (codes.includes(DISK_FULL)) globals.passlaneDatabaseFullAt = performance.now();
  if (error instanceof Error && LOST_MESSAGE.test(error.message)) return true;
  return codes.some((code) => UNAVAILABLE.test(code) || CONNECTION_CODES.has(code));
}

/** True if a write failed within the last seconds because the database's disk was full. */
export const isDatabaseFull = (): boolean =>
  performance.now() - (globals.passlaneDatabaseFullAt ?? Number.NEGATIVE_INFINITY) < FULL_MS;
