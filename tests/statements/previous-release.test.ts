import { readdirSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, expect, inject, it } from "vitest";
import { ROOT } from "../architecture/repository";
import { explainError, releasedStatements } from "./released-statements";

/**
 * During an upgrade the previous release runs on the new schema (docs/operations.md#migrations): every statement that its tests
 * sent is planned against it. The linter of migrations finds what a plan cannot show, such as a new column that must be given.
 */
const sql = postgres(inject("databaseUrl"), { max: 1, onnotice: () => {} });
afterAll(() => sql.end());

it("the statements of the previous release run on the schema of this one", async () => {
  const { migration, statements } = releasedStatements();
  expect(readdirSync(join(ROOT, "db/migrations"))).toContain(`${migration}.sql`);
  expect(statements.length).toBeGreaterThan(2000);
  const failed: string[] = [];
  for (const text of statements) {
    const error = await explainError(sql, text);
    if (error) failed.push(`${error}: ${text.replace(/\s+/g, " ").slice(0, 200)}`);
  }
  expect(failed).toEqual([]);
});

it("a removed column and a conflict without its unique index are detected", async () => {
  await sql`begin`;
  await sql`alter table visits drop column locale`;
  expect(
    await explainError(sql, "insert into visits (path, locale, device_type) values ($1, $2, $3)"),
  ).toMatch(/locale/);
  await sql`rollback`;
  expect(
    await explainError(sql, "insert into mails (id) values ($1) on conflict (event) do nothing"),
  ).toMatch(/no unique or exclusion constraint/);
});
