import type postgres from "postgres";
import { memoize } from "@/lib/platform/memoize";
import { observe, type PoolUse, telemetry } from "@/lib/platform/telemetry/telemetry";

type Query = postgres.PendingQuery<postgres.Row[]>;
type Run = (sql: postgres.TransactionSql) => unknown;
type Begin = (...args: never[]) => unknown;

/**
 * Observes the statements and transactions of a connection pool, and how much of it is in use. Without telemetry it returns
 * the pool itself.
 */
export function observePool(sql: postgres.Sql, pool: string, max: number): postgres.Sql {
  if (telemetry.observers.length === 0) return sql;
  const use: PoolUse = { max, inUse: 0 };
  telemetry.pools.set(pool, use);
  return observeSql(sql, pool, use);
}

/** `use`: of the pool, whose statements each take a connection; undefined for the statements of a transaction. */
function observeSql<S extends postgres.ISql>(sql: S, pool: string, use?: PoolUse): S {
  const statement = (query: Query, text: () => string) => observeQuery(query, pool, text, use);
  const proxy: S = new Proxy(sql, {
    apply(target, _, args: unknown[]) {
      const result = Reflect.apply(target as never, undefined, args);
      const [parts] = args as [TemplateStringsArray];
      return Array.isArray(parts) && "raw" in parts
        ? statement(result as Query, () => parts.join("?"))
        : result;
    },
    get(target, property) {
      if (property === "unsafe")
        return (text: string, ...rest: []) => statement(target.unsafe(text, ...rest), () => text);
      const value: unknown = Reflect.get(target, property, target);
      if ((property === "begin" || property === "savepoint") && typeof value === "function")
        return (...args: unknown[]) => observeTransaction(value as Begin, args, pool, use);
      return value;
    },
  });
  return proxy;
}

/** Runs `begin` or `savepoint`, whose last argument is the function of the transaction. */
async function observeTransaction(
  begin: Begin,
  args: unknown[],
  pool: string,
  use: PoolUse | undefined,
): Promise<unknown> {
  const startedAt = performance.now();
  const run = args.at(-1) as Run;
  const observed: Run = (sql) => {
    if (use) telemetry.onPoolWait?.(pool, (performance.now() - startedAt) / 1000);
    return run(observeSql(sql, pool));
  };
  if (use) use.inUse += 1;
  try {
    return await begin(...([...args.slice(0, -1), observed] as never[]));
  } finally {
    if (use) use.inUse -= 1;
  }
}

/**
 * A query of postgres.js runs when it is awaited; until then it may become a part of another one, or change its result's
 * form. So it is observed from the moment it is awaited.
 */
function observeQuery(query: Query, pool: string, text: () => string, use?: PoolUse): Query {
  let running: Promise<unknown> | undefined;
  const run = () => {
    if (use) use.inUse += 1;
    const operation = {
      kind: "statement" as const,
      name: statementName(text()),
      attributes: { "passlane.pool": pool },
    };
    return observe<unknown>(operation, async () => await query).finally(() => {
      if (use) use.inUse -= 1;
    });
  };
  const proxy: Query = new Proxy(query, {
    get(target, property) {
      if (property === "then" || property === "catch" || property === "finally") {
        running ??= run();
        return running[property].bind(running);
      }
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        const result: unknown = Reflect.apply(value, target, args);
        return result === target ? proxy : result;
      };
    },
  });
  return proxy;
}

/**
 * The name of a statement: its verb, and the first table or function that it names. Never its text, because some statements
 * hold values. `select "id" from "orders" where …` → `select orders`.
 */
export const statementName = memoize((statement) => {
  const text = statement.replace(/\bextract\s*\([^()]*?\bfrom\b/gi, ""); // `extract(epoch from ends_at)` names no table
  const verb = /^\s*([a-z]+)/i.exec(text)?.[1]?.toLowerCase() ?? "statement";
  const table = /\b(?:from|into|update|join)\s+(?:only\s+)?"?([a-z_][a-z0-9_.]*)/i.exec(text)?.[1];
  const called = table ? undefined : /\b([a-z_][a-z0-9_.]*)\s*\(/i.exec(text)?.[1];
  const subject = table ?? called;
  return subject && subject.length <= 60 ? `${verb} ${subject}` : verb;
}, 500);
