import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type pg from "pg";
import { ADVISORY_LOCKS } from "@/lib/platform/advisory-locks";
import { describeHosts, parseDatabaseAddress } from "@/lib/platform/database-address";
import { DatabaseDownError } from "@/lib/platform/database-failure";
import type { Env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { serializeError } from "@/lib/platform/serialize-error";
import { connectClient } from "./connect-pg";
import { type ConnectionPath, setRequestPath } from "./request-path";
import { waitForDatabase } from "./wait-for-database";

type Addresses = Pick<Env, "DATABASE_URL" | "DATABASE_DIRECT_URL" | "DATABASE_PREPARE">;
export type AddressName = "DATABASE_URL" | "DATABASE_DIRECT_URL";
type Query = <R extends pg.QueryResultRow>(text: string, values?: unknown[]) => Promise<R[]>;

const ANSWER_MS = 5_000;
/** How long a notification may take. A pooler delivers none, or to another client. */
const NOTIFICATION_MS = 3_000;
/** A pooler may give a transaction the same connection again by chance. */
const ROUNDS = 3;
/** A busy database may answer too late once or twice. One behind a pooler that loses what is tried does so every time. */
const ATTEMPTS = 3;
/** Any value that no pooler sets by itself. */
const TRIED_TIMEOUT_MS = 59_123;

const UNSUPPORTED_PARAMETER = /unsupported startup parameter/;
const NO_SUCH_STATEMENT = "26000";

/**
 * Tries, at the start of a server or worker, what the shop needs of its database: that a session lock and a notification work
 * through DATABASE_DIRECT_URL, and what the connections of DATABASE_URL keep (`requestPath` of db/request-path.ts). Waits up to 60 seconds for a
 * database that does not answer.
 * @throws Error with one sentence for the operator (docs/operations.md#databases)
 */
export async function tryDatabase(addresses: Addresses): Promise<void> {
  const { DATABASE_URL: url, DATABASE_DIRECT_URL: direct, DATABASE_PREPARE: prepare } = addresses;
  await retryWhileDown(() => trySessions(addresses));
  if (direct === url) return;
  const path = await retryWhileDown(() => tryPath(url));
  setRequestPath(path);
  if (prepare === "on" && !path.keepsStatements)
    throw new Error(
      "DATABASE_URL leads through a pooler that keeps no prepared statements (PgBouncer before 1.21, or max_prepared_statements=0), but DATABASE_PREPARE is on: set it to off.",
    );
  if (path.keepsSettings) return;
  log.warn(
    { prepare: path.keepsStatements && prepare !== "off" },
    path.keepsStatements || prepare === "off"
      ? "DATABASE_URL leads through a pooler"
      : "DATABASE_URL leads through a pooler that keeps no prepared statements: none are used",
  );
  await warnWithoutLimits(url);
}

/** Repeats a trial while the database does not answer, and throws what is wrong with it as one sentence. */
const retryWhileDown = <T>(trial: () => Promise<T>): Promise<T> =>
  waitForDatabase(trial, { say: (line) => log.warn({}, line) });

/** Resolves once a database accepts a connection, for which it waits up to 60 seconds. */
export async function reachDatabase(url: string, say: (line: string) => void): Promise<void> {
  close(await waitForDatabase(() => open("The database", url), { say }));
}

/** The result of a trial that can only end late or with false on a busy machine, after a few attempts. */
async function trySeveralTimes(trial: () => Promise<boolean>): Promise<boolean> {
  for (let attempt = 1; attempt < ATTEMPTS; attempt++) if (await trial()) return true;
  return trial();
}

/** A trial that could not be made. */
class TrialError extends Error {
  constructor(name: AddressName | "The database", url: string, cause: unknown) {
    const errors = cause instanceof AggregateError ? cause.errors : [cause];
    const { code, message } = serializeError(errors[0]);
    const hosts = describeHosts(parseDatabaseAddress(url));
    const reason = code && !(errors[0] instanceof DatabaseDownError) ? `${code}, ${message}` : message;
    super(`${name}: no connection to ${hosts} (${reason}).`, { cause });
  }
}

type Connection = { query: Query; client: pg.Client };

async function open(
  name: AddressName | "The database",
  url: string,
  options: pg.ClientConfig = {},
): Promise<Connection> {
  try {
    const client = await connectClient(url, {
      application_name: "passlane-start",
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
      ...options,
    });
    return { client, query: async (text, values) => (await client.query(text, values)).rows };
  } catch (error) {
    throw new TrialError(name, url, error);
  }
}

const close = ({ client }: Connection) => void client.end().catch(() => {});

/**
 * Tries a session lock through the direct address, and a notification that another connection sends through DATABASE_URL.
 * @throws Error with one sentence
 */
async function trySessions({ DATABASE_URL: url, DATABASE_DIRECT_URL: direct }: Addresses): Promise<void> {
  const name = direct === url ? "DATABASE_URL" : "DATABASE_DIRECT_URL";
  await trySessionLock(name, direct);
  if (await trySeveralTimes(() => deliversNotifications(name, { url, direct }))) return;
  throw new Error(
    name === "DATABASE_URL"
      ? "DATABASE_URL delivers no notifications between connections: set DATABASE_DIRECT_URL to the address of Postgres itself, without a transaction pooler."
      : "DATABASE_DIRECT_URL does not deliver what is notified through DATABASE_URL: both must lead to the same database, DATABASE_DIRECT_URL without a transaction pooler.",
  );
}

async function deliversNotifications(
  name: AddressName,
  { url, direct }: { url: string; direct: string },
): Promise<boolean> {
  const listener = await open(name, direct);
  const sender = await open("DATABASE_URL", url).catch((error) => {
    close(listener);
    throw error;
  });
  try {
    const channel = `passlane_start_${randomUUID().replaceAll("-", "")}`;
    const arrived = new Promise<boolean>((resolve) => {
      listener.client.on("notification", (notification) => {
        if (notification.channel === channel) resolve(true);
      });
    });
    await listener.query(`listen ${channel}`);
    await sender.query("select pg_notify($1, '')", [channel]);
    return await Promise.race([arrived, wait(NOTIFICATION_MS, false)]);
  } catch (error) {
    throw new TrialError(name, direct, error);
  } finally {
    close(listener);
    close(sender);
  }
}

/**
 * Tries whether a session lock stays with its connection through an address. Migrations rely on it too.
 * @throws Error with one sentence
 */
export async function trySessionLock(name: AddressName, url: string): Promise<void> {
  if (await trySeveralTimes(() => keepsSessionLock(name, url))) return;
  throw new Error(
    name === "DATABASE_URL"
      ? "DATABASE_URL leads through a transaction pooler, where session locks are lost: set DATABASE_DIRECT_URL to the address of Postgres itself."
      : "DATABASE_DIRECT_URL leads through a pooler, where session locks or settings are lost: it must be the address of Postgres itself.",
  );
}

async function keepsSessionLock(name: AddressName, url: string): Promise<boolean> {
  const opened: Connection[] = [];
  const openNext = async () => {
    const connection = await open(name, url, { statement_timeout: TRIED_TIMEOUT_MS });
    opened.push(connection);
    return connection;
  };
  try {
    const [holder, other] = [await openNext(), await openNext()];
    if ((await readStatementTimeout(holder)) !== TRIED_TIMEOUT_MS) return false;
    const key = [ADVISORY_LOCKS.trial, randomInt(2 ** 31)];
    for (let round = 0; round < ROUNDS; round++) {
      const [held] = await holder.query<{ pid: number }>(
        "select pg_backend_pid() as pid from (select pg_advisory_lock($1, $2)) locked",
        key,
      );
      // A transaction takes the server connection that a pooler would have taken from the holder.
      await other.query("begin");
      const [taken] = await other.query<{ taken: boolean }>(
        "select pg_try_advisory_xact_lock($1, $2) as taken",
        key,
      );
      const [now] = await holder.query<{ pid: number }>("select pg_backend_pid() as pid");
      await other.query("rollback");
      if (taken!.taken || now!.pid !== held!.pid) return false;
      await holder.query("select pg_advisory_unlock($1, $2)", key);
    }
    return true;
  } catch (error) {
    if (isPoolerRefusal(error)) return false;
    if (error instanceof TrialError) throw error;
    throw new TrialError(name, url, error);
  } finally {
    for (const connection of opened) close(connection);
  }
}

/** PgBouncer refuses settings of a connection that it cannot keep. A pool of one blocks the second query. */
const isPoolerRefusal = (error: unknown): boolean => {
  const { message } =
    error instanceof TrialError && error.cause instanceof Error ? error.cause : (error as Error);
  return UNSUPPORTED_PARAMETER.test(message) || message === QUERY_TIMEOUT_MESSAGE;
};
/** What pg throws, without a code, when a statement is not answered within `query_timeout`. */
const QUERY_TIMEOUT_MESSAGE = "Query read timeout";

/** Tries what the connections of an address keep. */
async function tryPath(url: string): Promise<ConnectionPath> {
  return { keepsSettings: await tryToKeepSettings(url), keepsStatements: await tryToKeepStatements(url) };
}

async function tryToKeepSettings(url: string): Promise<boolean> {
  let connection: Connection;
  try {
    connection = await open("DATABASE_URL", url, { statement_timeout: TRIED_TIMEOUT_MS });
  } catch (error) {
    if (isPoolerRefusal(error)) return false;
    throw error;
  }
  try {
    return (await readStatementTimeout(connection)) === TRIED_TIMEOUT_MS;
  } catch (error) {
    throw new TrialError("DATABASE_URL", url, error);
  } finally {
    close(connection);
  }
}

const readStatementTimeout = async ({ query }: Connection): Promise<number> => {
  const [row] = await query<{ ms: number }>(
    "select setting::int as ms from pg_settings where name = 'statement_timeout'",
  );
  return row!.ms;
};

async function tryToKeepStatements(url: string): Promise<boolean> {
  const one = await open("DATABASE_URL", url);
  const other = await open("DATABASE_URL", url).catch((error) => {
    close(one);
    throw error;
  });
  try {
    // A name of its own: another start may leave its statement on a connection of the pooler.
    const named = { name: `passlane_trial_${randomUUID()}`, text: "select pg_backend_pid() as pid" };
    for (let round = 0; round < ROUNDS; round++) {
      await one.client.query(named);
      // A transaction takes the server connection on which the statement was prepared, if a pooler shares it.
      await other.query("begin");
      await other.query("select 1");
      await one.client.query(named);
      await other.query("rollback");
    }
    return true;
  } catch (error) {
    const { code, message } = serializeError(error);
    // A pool of one connection blocks the second query, and no statement can be said to be kept.
    if (code === NO_SUCH_STATEMENT || message === QUERY_TIMEOUT_MESSAGE) return false;
    throw new TrialError("DATABASE_URL", url, error);
  } finally {
    close(one);
    close(other);
  }
}

/** Through a pooler, the limits of requests can only come from the pooler or from the role. */
async function warnWithoutLimits(url: string): Promise<void> {
  const connection = await open("DATABASE_URL", url);
  try {
    if ((await readStatementTimeout(connection)) > 0) return;
    log.warn(
      {},
      "statements through the pooler of DATABASE_URL have no time limit: set connect_query in PgBouncer, or ALTER ROLE … SET statement_timeout (docs/operations.md#databases)",
    );
  } finally {
    close(connection);
  }
}
