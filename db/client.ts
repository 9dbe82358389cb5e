import { sql as raw } from "drizzle-orm";
import { drizzle, type PgRemoteDatabase } from "drizzle-orm/pg-proxy";
import type postgres from "postgres";
import { observePool } from "@/db/observe-pool";
import { DatabaseDownError } from "@/lib/platform/database-failure";
import { currentDryRun, runInDryRun } from "@/lib/platform/dry-run-scope";
import { env } from "@/lib/platform/env";
import { isDatabaseDown } from "@/lib/platform/process-state";
import { currentRequest } from "@/lib/platform/request-scope";
import { FailedStatement } from "@/lib/platform/serialize-error";
import { openSql } from "./connect";
import { Replica } from "./replica";

/** The query builder. Transactions are opened with `transaction`, below. */
export type Db = Omit<PgRemoteDatabase, "transaction">;
export type Tx = Db & { readonly inTransaction: true };

type PoolName = "requests" | "background" | "lists" | "replica" | "replicaLists";

type State = {
  pools: Partial<Record<PoolName, postgres.Sql>>;
  /** The connections of open transactions. */
  transactions: WeakMap<object, postgres.TransactionSql>;
  replica?: Replica;
};

// Next bundles this module more than once. The copies share this through globalThis.
const globals = globalThis as typeof globalThis & { passlaneDatabase?: State };
globals.passlaneDatabase ??= { pools: {}, transactions: new WeakMap() };
const state = globals.passlaneDatabase;
const { pools, transactions } = state;

/** Dates are read as text and JSON is written as text. The query builder converts both. */
const asText = { serialize: (value: unknown) => value, parse: (value: unknown) => value };
const TYPES = {
  date: { to: 1184, from: [1082, 1083, 1114, 1184], ...asText },
  json: { to: 114, from: [114, 3802], serialize: asText.serialize, parse: JSON.parse },
};

/**
 * Limits of a connection, of a statement and of a wait for a lock. Those of requests are short, so that a slow database
 * is answered with 503 within three seconds (docs/reliability.md#when-the-database-fails). Jobs and scripts may take longer.
 * The transaction of a request that does not go on ends before the request's lease (lib/platform/api/idempotency.ts).
 */
const REQUEST_LIMITS = { connectSeconds: 2, statementMs: 2_500, lockMs: 2_500, idleMs: 8_000 };
const LIMITS = {
  requests: REQUEST_LIMITS,
  background: { connectSeconds: 10, statementMs: 30_000, lockMs: 10_000, idleMs: 0 },
  lists: REQUEST_LIMITS,
  replica: REQUEST_LIMITS,
  replicaLists: REQUEST_LIMITS,
};
/** Connections for the lists of the staff console: as many people page at the same moment. */
const LIST_POOL = 4;
/**
 * Settings of the connections for lists: plans that sort rows or read a whole table are off. Postgres misjudges how many rows follow
 * a cursor, and would sometimes sort hundreds of thousands to return fifty.
 */
const LIST_PLANS = {
  enable_sort: "off",
  enable_seqscan: "off",
  enable_bitmapscan: "off",
  max_parallel_workers_per_gather: 0,
};
const MAX_RECONNECT_PAUSE_SECONDS = 0.5;

/**
 * Requests go through a transaction pooler where the direct address is another one. It keeps no settings of a
 * connection, and not every one keeps prepared statements. Jobs, scripts and lists have long statements or their own
 * settings, and go directly.
 */
function openPool(name: PoolName): postgres.Sql {
  const { DATABASE_URL, DATABASE_DIRECT_URL } = env();
  const isPooled = name === "requests" && DATABASE_URL !== DATABASE_DIRECT_URL;
  const { connectSeconds, statementMs, lockMs, idleMs } = LIMITS[name];
  return openSql(urlOf(name), {
    max: sizeOf(name),
    prepare: !isPooled,
    // The driver sends Describe without Sync for a statement that is not prepared, also behind one that is still running.
    // PgBouncer 1.18 drops that answer when the first one ends, and the connection waits forever.
    ...(isPooled && { max_pipeline: 0 }),
    idle_timeout: 60,
    connect_timeout: connectSeconds,
    // After an outage of minutes the driver would wait up to 20 seconds before it connects again.
    backoff: (retries: number) => Math.min(retries / 20, MAX_RECONNECT_PAUSE_SECONDS),
    types: TYPES,
    // Compiling a statement (jit) can take seconds for a statement that runs for milliseconds.
    connection: {
      application_name: "passlane",
      ...(!isPooled && {
        statement_timeout: statementMs,
        lock_timeout: lockMs,
        idle_in_transaction_session_timeout: idleMs,
        jit: "off",
        ...(isForLists(name) && LIST_PLANS),
      }),
    },
  });
}

function urlOf(name: PoolName): string {
  const { DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_REPLICA_URL } = env();
  if (name === "requests") return DATABASE_URL;
  const isReplica = name === "replica" || name === "replicaLists";
  return (isReplica && DATABASE_REPLICA_URL) || DATABASE_DIRECT_URL;
}

/** The connection pool. A request has another one than jobs and scripts. */
export function pool(): postgres.Sql {
  const request = currentRequest();
  if (request?.leaseEndsAt !== undefined && request.leaseEndsAt < performance.now())
    throw new DatabaseDownError("the request was suspended for too long");
  return poolOf(request ? "requests" : "background");
}

/** The connection of the running dry run, whose scope is registered like a transaction. */
function dryRunConnection(): postgres.TransactionSql | undefined {
  const scope = currentDryRun();
  return scope && transactions.get(scope);
}

/** For statements outside of transactions: the pool, or the connection of the running dry run. */
export const client = (): postgres.ISql => dryRunConnection() ?? pool();

/** The pool of jobs and scripts, for statements of a request that take longer, such as those that a file is streamed from. */
export const backgroundClient = (): postgres.ISql => dryRunConnection() ?? poolOf("background");

/** The connections of `listDb`, for tests that look at its plans. */
export const listClient = (): postgres.Sql => poolOf("lists");

/**
 * Runs a read on the replica, if there is one that answers and is at most ten seconds behind (db/replica.ts);
 * otherwise, and when the replica fails, on the primary. For searches, feeds and reports, which may run twice: not for
 * cached pages or for what a user has just written.
 */
async function readFrom<T>(
  name: "replica" | "replicaLists",
  onReplica: (sql: postgres.Sql) => PromiseLike<T>,
  onPrimary: () => PromiseLike<T>,
): Promise<T> {
  const { DATABASE_REPLICA_URL: url } = env();
  if (url === undefined || currentDryRun()) return onPrimary();
  state.replica ??= new Replica(url, () => void endPools(["replica", "replicaLists"], 0));
  const { replica } = state;
  if (!(await replica.isUsable())) return onPrimary();
  try {
    return await onReplica(poolOf(name));
  } catch (error) {
    if (!replica.isFailedBy(error)) throw error;
    return onPrimary();
  }
}

const isForLists = (name: PoolName) => name === "lists" || name === "replicaLists";
const sizeOf = (name: PoolName) => (isForLists(name) ? LIST_POOL : env().DATABASE_POOL);

/** @throws DatabaseDownError at once while the primary is down, where a connection would be waited for */
function poolOf(name: PoolName): postgres.Sql {
  if (!name.startsWith("replica") && isDatabaseDown()) throw new DatabaseDownError("the database is down");
  pools[name] ??= observePool(openPool(name), name, sizeOf(name));
  return pools[name];
}

/** Limits for prepared statements. Lists of different lengths are different statements. */
const MAX_PREPARED = 300;
const MAX_VALUES = 24;
const prepared = new Set<string>();

function isPrepared(text: string, values: unknown[]): boolean {
  if (values.length === 0 || values.length > MAX_VALUES) return false;
  if (prepared.size < MAX_PREPARED) prepared.add(text);
  return prepared.has(text);
}

type Statement = { text: string; values: unknown[]; method: string };

/**
 * A drizzle query builder. It uses drizzle's proxy driver, because the driver for postgres.js prepares no statements. The
 * values of a failed statement are removed, because drizzle's error lists them and Next prints it.
 */
const createBuilder = (run: (statement: Statement) => PromiseLike<unknown[]>): PgRemoteDatabase =>
  drizzle(async (text, values: unknown[], method) => {
    try {
      return { rows: await run({ text, values, method }) };
    } catch (error) {
      values.length = 0;
      throw new FailedStatement(error);
    }
  });

function send(
  connection: postgres.ISql,
  { text, values, method }: Statement,
  prepare = isPrepared(text, values),
): PromiseLike<unknown[]> {
  const query = connection.unsafe(text, values as never[], { prepare });
  return method === "execute" ? query : query.values();
}

const buildOver = (connection: () => postgres.ISql): PgRemoteDatabase =>
  createBuilder((statement) => send(connection(), statement));

/** The query builder over the pool, or over the running dry run. */
export const db: Db = buildOver(client);

/**
 * Like `db`, but prepares every statement, however many values it has. For the reads of public pages, whose statements are long and
 * composed of few fragments, so that the number of their texts is bounded.
 */
export const preparedDb: Db = createBuilder((statement) => send(client(), statement, true));

const buildOverReplica = (primary: () => postgres.ISql): PgRemoteDatabase =>
  createBuilder((statement) =>
    readFrom(
      "replica",
      (sql) => send(sql, statement, true),
      () => send(primary(), statement, true),
    ),
  );

/** Like `preparedDb`, from the replica when it keeps up. */
export const replicaDb: Db = buildOverReplica(client);

/** Like `replicaDb`, for what a file is streamed from: a statement may take the time of a job. */
export const feedDb: Db = buildOverReplica(backgroundClient);

/**
 * Like `replicaDb`, with a query plan for the values of each statement. For searches: the best plan for a rare word is the worst for a
 * common one, so that none is reused.
 */
export const searchDb: Db = createBuilder((statement) =>
  readFrom(
    "replica",
    (sql) => sendWithCustomPlan(sql, statement),
    () => sendWithCustomPlan(pool(), statement),
  ),
);

async function sendWithCustomPlan(sql: postgres.Sql, statement: Statement): Promise<unknown[]> {
  const [, rows] = await sql.begin("read only", (tx) => [
    tx`set local plan_cache_mode = force_custom_plan`,
    send(tx, statement, true),
  ]);
  return rows;
}

/**
 * The query builder of the staff console's lists: a page follows its index from the cursor, regardless of Postgres'
 * estimates (docs/performance.md#staff-console). For reads by keys and indexes only.
 */
export const listDb: Db = buildOver(listClient);

/** Like `listDb`, from the replica when it keeps up: for the reports of the consoles. */
export const reportDb: Db = createBuilder((statement) =>
  readFrom(
    "replicaLists",
    (sql) => send(sql, statement),
    () => send(listClient(), statement),
  ),
);

type Options = {
  /** An outer transaction. Then `run` is a savepoint: only its own writes are rolled back when it throws. */
  within?: Db;
  /** The mode after BEGIN, e.g. `isolation level repeatable read read only`. */
  mode?: string;
};

/**
 * Runs a function in a transaction, which commits when the function ends and rolls back when it throws. In a dry run it is
 * a savepoint.
 */
export async function transaction<T>(
  run: (tx: Tx) => Promise<T>,
  { within, mode = "" }: Options = {},
): Promise<T> {
  const outer = (within && transactions.get(within)) ?? dryRunConnection();
  // The value is wrapped, because the types of postgres.js would unwrap an array.
  const runWithin = async (sql: postgres.TransactionSql) => ({
    value: await run(createTransaction(sql)),
  });
  const { value } = await (outer ? outer.savepoint(runWithin) : pool().begin(mode, runWithin));
  return value;
}

function createTransaction(sql: postgres.TransactionSql): Tx {
  const tx = Object.assign(
    buildOver(() => sql),
    { inTransaction: true as const },
  );
  transactions.set(tx, sql);
  return tx;
}

/** The connection of a transaction, or the pool, for hand-written statements. postgres.js prepares them. */
export const statements = (tx: Db): postgres.ISql => transactions.get(tx) ?? client();

class RolledBack<T> extends Error {
  constructor(readonly value: T) {
    super("rolled back");
  }
}

/**
 * Runs a function in a transaction that is always rolled back, and returns its result. For previews. Inside, all
 * statements and transactions of commands use this transaction, jobs are only recorded (`currentDryRun`), and neither the payment
 * provider (lib/payments/dry-run-provider.ts) nor the mail server is called.
 */
export async function dryRun<T>(
  run: (tx: Tx) => Promise<T>,
  { mode = "" }: Pick<Options, "mode"> = {},
): Promise<T> {
  try {
    return await transaction(
      async (tx) => {
        const scope = { jobs: [] };
        transactions.set(scope, transactions.get(tx)!);
        throw new RolledBack(await runInDryRun(scope, () => run(tx)));
      },
      { mode },
    );
  } catch (error) {
    if (error instanceof RolledBack) return error.value;
    throw error;
  }
}

/** Closes all connections when their statements have ended. The next use opens new ones. */
export const closeDatabase = (): Promise<void> => endAll(5);

/** The same without waiting for statements, which no database would answer. */
export const closeDatabaseAtOnce = (): Promise<void> => endAll(0);

async function endAll(timeout: number): Promise<void> {
  state.replica?.close();
  state.replica = undefined;
  await endPools(Object.keys(LIMITS) as PoolName[], timeout);
}

async function endPools(names: readonly PoolName[], timeout: number): Promise<void> {
  const open = names.map((name) => pools[name]);
  for (const name of names) delete pools[name];
  await Promise.all(open.map((pool) => pool?.end({ timeout })));
}

/** The shop's clock in SQL: the database's time plus an offset that only tests set. */
export const shopNow = raw<Date>`shop_now()`;
