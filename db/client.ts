import { inspect } from "node:util";
import { DrizzleQueryError, sql as raw } from "drizzle-orm";
import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { preparing } from "@/db/prepared";
import { env } from "@/lib/platform/env";
import { serializeError } from "@/lib/platform/serialize-error";

// Next prints what a page throws with console.error: a failed statement shows no values there either.
Object.defineProperty(DrizzleQueryError.prototype, inspect.custom, {
  configurable: true, // this module may be loaded once for each bundle
  value(this: DrizzleQueryError) {
    const { type, message, code, stack } = serializeError(this);
    return `${type}${code ? ` (${code})` : ""}: ${message}\n${stack ?? ""}`;
  },
});

type Database = PostgresJsDatabase & { $client: postgres.Sql };
type Follow = () => unknown;
/** What is to follow when a transaction has committed, by the transaction. */
type Following = WeakMap<object, Follow[]>;
type Held = { client: postgres.Sql; database: Database };

// One client per process: Next bundles this module apart from the server entry, and more than once, so it lives on
// globalThis. So does what is to follow its transactions, which outlives it: while it is closed, they still end.
const holder = globalThis as typeof globalThis & { passlaneDatabase?: Held; passlaneFollowing?: Following };
holder.passlaneFollowing ??= new WeakMap();
const following = holder.passlaneFollowing;

function open(): Held {
  if (!holder.passlaneDatabase) {
    const client = postgres(env().DATABASE_URL, {
      max: env().DATABASE_POOL,
      idle_timeout: 60,
      connect_timeout: 10,
      onnotice: () => {},
      // Compiling a statement (jit) costs seconds where running it costs milliseconds.
      connection: {
        application_name: "passlane",
        statement_timeout: 30_000,
        lock_timeout: 10_000,
        jit: "off",
      },
    });
    holder.passlaneDatabase = { client, database: tellingCommits(drizzle(preparing(client))) };
  }
  return holder.passlaneDatabase;
}

function tellingCommits(database: Database): Database {
  const transaction = database.transaction.bind(database);
  database.transaction = async (run, config) => {
    const works: Follow[] = [];
    const value = await transaction((tx) => {
      following.set(tx, works);
      return run(tx);
    }, config);
    for (const work of works) work();
    return value;
  };
  return database;
}

/**
 * Runs `work` when the transaction has committed, if this process lives until then. Outside of a transaction, and in one
 * within another, it runs at once.
 */
export function afterCommit(on: Db, work: Follow): void {
  const works = following.get(on);
  if (works) works.push(work);
  else work();
}

/** drizzle over postgres.js. */
export const db: Database = new Proxy({} as Database, {
  get: (_, name) => Reflect.get(open().database, name, open().database),
});

/** The same connections, for hand-written statements. */
export const client = (): postgres.Sql => open().client;

export type Tx = Parameters<Parameters<Database["transaction"]>[0]>[0];
export type Db = Database | Tx;

/**
 * The connection of a transaction, or of the pool, for hand-written statements: prepared, and those that are started
 * together (`.execute()`) travel together, each with what it sees when its turn comes.
 */
export const statements = (on: Db): postgres.Sql =>
  (on._ as unknown as { session: { client: postgres.Sql } }).session.client;

class RolledBack<T> extends Error {
  constructor(readonly value: T) {
    super("rolled back");
  }
}

/** Runs in a transaction that never commits: what a preview would do. */
export async function rolledBack<T>(run: (tx: Db) => Promise<T>): Promise<T> {
  try {
    return await db.transaction(async (tx) => {
      throw new RolledBack(await run(tx));
    });
  } catch (error) {
    if (error instanceof RolledBack) return error.value;
    throw error;
  }
}

/** Ends all connections; the next use opens new ones. */
export async function closeDatabase(): Promise<void> {
  const held = holder.passlaneDatabase;
  holder.passlaneDatabase = undefined;
  await held?.client.end({ timeout: 5 });
}

/** The shop's clock in SQL: the database's time, with an offset that only tests may set. */
export const shopNow = raw<Date>`shop_now()`;
