import { sql as raw } from "drizzle-orm";
import { drizzle, type PgRemoteDatabase } from "drizzle-orm/pg-proxy";
import postgres from "postgres";
import { env } from "@/lib/platform/env";
import { FailedStatement } from "@/lib/platform/serialize-error";

/** The query builder. Transactions are opened with `transaction`, below. */
export type Db = Omit<PgRemoteDatabase, "transaction">;
export type Tx = Db & { readonly inTransaction: true };
type Follow = () => unknown;
/** The connection of a transaction, and what follows its commit. */
type Open = { sql: postgres.TransactionSql; follow: Follow[] };

// Next bundles this module apart from the server entry, and more than once. The process has one pool, and knows its open
// transactions across the copies: both are on globalThis.
const holder = globalThis as typeof globalThis & {
  passlaneClient?: postgres.Sql;
  passlaneTransactions?: WeakMap<object, Open>;
};
holder.passlaneTransactions ??= new WeakMap();
const transactions = holder.passlaneTransactions;

/** Dates stay text and JSON is written as text: the builder and the row types convert them. */
const asText = { serialize: (value: unknown) => value, parse: (value: unknown) => value };
const TYPES = {
  date: { to: 1184, from: [1082, 1083, 1114, 1184], ...asText },
  json: { to: 114, from: [114, 3802], serialize: asText.serialize, parse: JSON.parse },
};

/** The pool, for statements outside of a transaction, listening and locks. */
export function client(): postgres.Sql {
  holder.passlaneClient ??= postgres(env().DATABASE_URL, {
    max: env().DATABASE_POOL,
    idle_timeout: 60,
    connect_timeout: 10,
    onnotice: () => {},
    types: TYPES,
    // Compiling a statement (jit) costs seconds where running it costs milliseconds.
    connection: {
      application_name: "passlane",
      statement_timeout: 30_000,
      lock_timeout: 10_000,
      jit: "off",
    },
  });
  return holder.passlaneClient;
}

/** Statements that each connection keeps prepared, by their texts. A list of values has a text for each length. */
const MOST_PREPARED = 300;
const MOST_VALUES = 24;
const prepared = new Set<string>();

function isPrepared(text: string, values: unknown[]): boolean {
  if (values.length === 0 || values.length > MOST_VALUES) return false;
  if (prepared.size < MOST_PREPARED) prepared.add(text);
  return prepared.has(text);
}

/**
 * Drizzle over a connection of ours, by its proxy driver: the driver for postgres.js prepares no statement. A failed
 * statement hides its values here, because drizzle's error lists them and Next prints it.
 */
const builderOver = (connection: () => postgres.ISql): PgRemoteDatabase =>
  drizzle(async (text, values: unknown[], method) => {
    try {
      const query = connection().unsafe(text, values as never[], { prepare: isPrepared(text, values) });
      return { rows: method === "execute" ? await query : await query.values() };
    } catch (error) {
      values.length = 0;
      throw new FailedStatement(error);
    }
  });

/** The query builder over the pool. */
export const db: Db = builderOver(client);

type Options = {
  /** In the transaction that this is part of: `run` is a savepoint, and undoes only its own writes when it throws. */
  within?: Db;
  /** As after BEGIN, e.g. `isolation level repeatable read read only`. */
  mode?: string;
};

/** Runs in a transaction, which commits when `run` ends and rolls back when it throws. */
export async function transaction<T>(
  run: (tx: Tx) => Promise<T>,
  { within, mode = "" }: Options = {},
): Promise<T> {
  const outer = within && transactions.get(within);
  const follow: Follow[] = [];
  const work = async (sql: postgres.TransactionSql) => ({
    value: await run(transactionOver({ sql, follow })),
  });
  const { value } = await (outer ? outer.sql.savepoint(work) : client().begin(mode, work));
  if (outer) outer.follow.push(...follow);
  else for (const next of follow) next();
  return value;
}

function transactionOver(open: Open): Tx {
  const tx = Object.assign(
    builderOver(() => open.sql),
    { inTransaction: true as const },
  );
  transactions.set(tx, open);
  return tx;
}

/** Runs `work` when the transaction has committed, if this process lives until then; outside of one, at once. */
export function afterCommit(on: Db, work: Follow): void {
  const open = transactions.get(on);
  if (open) open.follow.push(work);
  else work();
}

/** The connection of a transaction, or the pool, for hand-written statements. postgres.js prepares them. */
export const statements = (on: Db): postgres.ISql => transactions.get(on)?.sql ?? client();

class RolledBack<T> extends Error {
  constructor(readonly value: T) {
    super("rolled back");
  }
}

/** Runs in a transaction that never commits: what a preview would do. */
export async function dryRun<T>(run: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await transaction(async (tx) => {
      throw new RolledBack(await run(tx));
    });
  } catch (error) {
    if (error instanceof RolledBack) return error.value;
    throw error;
  }
}

/** Ends all connections; the next use opens new ones. */
export async function closeDatabase(): Promise<void> {
  const held = holder.passlaneClient;
  holder.passlaneClient = undefined;
  await held?.end({ timeout: 5 });
}

/** The shop's clock in SQL: the database's time, with an offset that only tests may set. */
export const shopNow = raw<Date>`shop_now()`;
