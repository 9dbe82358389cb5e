import type postgres from "postgres";

/** Statements that are kept prepared in each connection, by their texts; past it they are parsed each time. */
const TEXTS = 300;
/** A list of values is a text of its own for each length: only short ones come again. */
const VALUES = 24;

const texts = new Set<string>();

function isWorthKeeping(text: string, values: readonly unknown[]): boolean {
  if (values.length === 0 || values.length > VALUES) return false;
  if (texts.has(text)) return true;
  if (texts.size >= TEXTS) return false;
  texts.add(text);
  return true;
}

/**
 * Lets drizzle's statements be prepared by the connection that runs them: drizzle asks for each to be parsed, described
 * and planned anew, in two round trips instead of one (docs/performance.md#prepared-statements).
 */
export function preparing(sql: postgres.Sql): postgres.Sql {
  return new Proxy(sql, {
    get(target, name) {
      if (name === "unsafe") return unsafeOf(target);
      if (name === "begin" || name === "savepoint") return scopeOf(target, name);
      return Reflect.get(target, name, target);
    },
  });
}

type Options = { prepare?: boolean };

const unsafeOf =
  (sql: postgres.Sql) =>
  (text: string, values: never[] = [], options: Options = {}) =>
    sql.unsafe(text, values, { ...options, prepare: options.prepare || isWorthKeeping(text, values) });

type Work = (sql: postgres.Sql) => unknown;
type Scope = (...given: unknown[]) => unknown;

/** `begin(run)`, `begin(options, run)` and `savepoint(run)`: what runs inside is prepared too. */
const scopeOf =
  (sql: postgres.Sql, name: "begin" | "savepoint"): Scope =>
  (...given) => {
    const open = Reflect.get(sql, name, sql) as Scope;
    return open.apply(
      sql,
      given.map((one) =>
        typeof one === "function" ? (inner: postgres.Sql) => (one as Work)(preparing(inner)) : one,
      ),
    );
  };
