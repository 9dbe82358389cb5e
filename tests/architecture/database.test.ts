import { pathToFileURL } from "node:url";
import { is } from "drizzle-orm";
import { getTableConfig, PgDialect, PgTable } from "drizzle-orm/pg-core";
import { beforeAll, describe, expect, it } from "vitest";
import { ORDER_EVENTS, ORDER_STATUSES, TRANSITIONS } from "@/lib/orders/rules";
import { expectNone, type Repository, ROOT, repository } from "./repository";

const migrations = (repo: Repository) =>
  repo.files
    .filter((path) => /^db\/migrations\/\d+.*\.sql$/.test(path))
    .map((path) => repo.read(path).replace(/--(?!>).*$/gm, ""))
    .join("\n");

const quotedValues = (list: string) => [...list.matchAll(/'([^']*)'/g)].map(([, value = ""]) => value);

/** The rows that migrations insert into order_transitions, as `from event to`. */
const transitionRows = (sql: string) =>
  [...sql.matchAll(/insert into "?order_transitions"?[^;]*values([^;]*)/gi)].flatMap(([, values = ""]) =>
    [...values.matchAll(/\(([^)]*)\)/g)].map(([, row = ""]) => quotedValues(row).join(" ")),
  );

function transitionDifferences(sql: string, transitions: readonly (readonly string[])[]): string[] {
  const rules = transitions.map((row) => row.join(" "));
  const rows = transitionRows(sql);
  return [
    ...rules
      .filter((row) => !rows.includes(row))
      .map((row) => `db/migrations lacks the transition “${row}” of lib/orders/rules.ts`),
    ...rows
      .filter((row) => !rules.includes(row))
      .map((row) => `lib/orders/rules.ts lacks the transition “${row}” of db/migrations`),
    ...rows
      .filter((row, i) => rows.indexOf(row) !== i)
      .map((row) => `db/migrations has the transition “${row}” twice`),
  ];
}

type Lists = Record<string, string[]>;

/** Constraints of the form `column in ('a', 'b')` that remain after all migrations. */
function checkLists(sql: string): Lists {
  const lists: Lists = {};
  const steps =
    /drop constraint (?:if exists )?"(\w+)"|constraint "(\w+)" check \(\s*"?\w+"? in \(([^)]*)\)\s*\)/gi;
  for (const [, dropped, name, list] of sql.matchAll(steps)) {
    if (dropped) delete lists[dropped];
    else if (name) lists[name] = quotedValues(list ?? "");
  }
  return lists;
}

const same = (a: string[] | undefined, b: string[] | undefined) =>
  [...(a ?? [])].sort().join() === [...(b ?? [])].sort().join();

function listDifferences(schema: Lists, database: Lists): string[] {
  const names = new Set([...Object.keys(schema), ...Object.keys(database)]);
  return [...names]
    .filter((name) => !same(schema[name], database[name]))
    .map((name) => {
      const [rules, rows] = [schema, database].map((lists) => lists[name]?.join(", ") ?? "no such list");
      return `CHECK ${name}: db/schema has [${rules}], db/migrations have [${rows}]: npm run db:generate`;
    });
}

type Column = { table: string; name: string; enumValues: string[] | undefined };

/** The values of a column's type and of its CHECK come from the same list. */
function columnDifferences(
  columns: Column[],
  checks: { table: string; column: string; list: string[] }[],
): string[] {
  return checks.flatMap(({ table, column, list }) => {
    const match = columns.find((c) => c.table === table && c.name === column);
    if (!match?.enumValues || same(match.enumValues, list)) return [];
    return [`db/schema: ${table}.${column} may be [${match.enumValues}], its CHECK allows [${list}]`];
  });
}

const dialect = new PgDialect();
const loadModule = (path: string): Promise<Record<string, unknown>> =>
  import(/* @vite-ignore */ pathToFileURL(`${ROOT}/${path}`).href);

describe("database schema and rules", () => {
  const checks: { name: string; table: string; column: string; list: string[] }[] = [];
  const columns: Column[] = [];
  const rules: string[][] = [];
  beforeAll(async () => {
    for (const path of repository.files.filter((file) =>
      /^lib\/(?!platform\/).*\/rules(-[a-z-]+)?\.ts$/.test(file),
    ))
      for (const value of Object.values(await loadModule(path)))
        if (Array.isArray(value) && value.every((entry) => typeof entry === "string")) rules.push(value);
    for (const path of repository.files.filter((file) => /^db\/schema\/.*\.ts$/.test(file)))
      for (const table of Object.values(await loadModule(path))) {
        if (!is(table, PgTable)) continue;
        const config = getTableConfig(table);
        for (const { name, enumValues } of config.columns)
          columns.push({ table: config.name, name, enumValues });
        for (const { name, value } of config.checks) {
          const [, column, list] =
            /^\s*"?(\w+)"? in \(([^)]*)\)\s*$/i.exec(dialect.sqlToQuery(value).sql) ?? [];
          if (column && list) checks.push({ name, table: config.name, column, list: quotedValues(list) });
        }
      }
  });

  it("agree on the rows of order_transitions and lib/orders/rules.ts", () =>
    expectNone("transitions", transitionDifferences(migrations(repository), TRANSITIONS)));

  it("know the statuses and events of every transition, and a transition for every event except creation", () => {
    for (const [from, event, to] of TRANSITIONS) {
      expect(ORDER_STATUSES).toContain(from);
      expect(ORDER_STATUSES).toContain(to);
      expect(ORDER_EVENTS).toContain(event);
    }
    const used = new Set(TRANSITIONS.map(([, event]) => event));
    expect(ORDER_EVENTS.filter((event) => !used.has(event))).toEqual(["created"]);
  });

  it("every list in a CHECK is the list of db/schema", () => {
    const schema = Object.fromEntries(checks.map(({ name, list }) => [name, list]));
    expectNone("lists", listDifferences(schema, checkLists(migrations(repository))));
    expectNone("columns", columnDifferences(columns, checks));
  });

  it("every list in a CHECK is a list of lib/<noun>/rules.ts", () =>
    expectNone(
      "lists",
      checks
        .filter(({ table }) => !table.startsWith("sandbox_")) // values of Stripe
        .filter(({ list }) => !rules.some((rule) => same(rule, list)))
        .map(({ name, list }) => `CHECK ${name} allows [${list}], which no lib/<noun>/rules.ts lists`),
    ));

  it("are compared by checks that report differences", () => {
    const sql = `INSERT INTO "order_transitions" ("a", "b", "c") VALUES ('pending', 'cancelled', 'cancelled'), ('x', 'y', 'z');
      CREATE TABLE a (CONSTRAINT "a_state" CHECK (state in ('on', 'off')), CONSTRAINT "b_state" CHECK (b in ('on')));
      ALTER TABLE a DROP CONSTRAINT "b_state";`;
    expect(transitionDifferences(sql, [["pending", "expired", "cancelled"]])).toEqual([
      "db/migrations lacks the transition “pending expired cancelled” of lib/orders/rules.ts",
      "lib/orders/rules.ts lacks the transition “pending cancelled cancelled” of db/migrations",
      "lib/orders/rules.ts lacks the transition “x y z” of db/migrations",
    ]);
    expect(checkLists(sql)).toEqual({ a_state: ["on", "off"] });
    expect(listDifferences({ a_state: ["on"] }, checkLists(sql))[0]).toMatch(
      /a_state: db\/schema has \[on\]/,
    );
    const column = { table: "a", name: "state", enumValues: ["on"] };
    expect(columnDifferences([column], [{ table: "a", column: "state", list: ["off"] }])).toHaveLength(1);
  });
});
