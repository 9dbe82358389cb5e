import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { expectNone, type Repository, ROOT, repository } from "./repository";

/** The first migration that these rules hold for; the earlier ones have landed. */
const FIRST = "0014";
/** What migrate does itself (scripts/postgres/apply-migrations.ts): limits, one transaction a file, what may be repeated. */
const DONE_BY_MIGRATE = ["prefer-robust-stmts", "require-lock-timeout", "require-statement-timeout"];
/** Types are chosen by db/schema. */
const TYPES = ["prefer-bigint-over-int", "prefer-identity", "prefer-text-field", "prefer-timestamp-tz"];

const newMigrations = (repo: Repository) =>
  repo.files.filter((path) => /^db\/migrations\/\d{4}_.*\.sql$/.test(path) && path.slice(14) >= FIRST);

/** What Squawk says about SQL files: file, line, rule and message. `-- squawk-ignore RULE` above a statement is an exception with its reason. */
function squawk(paths: string[]): string[] {
  const { stdout, stderr, error } = spawnSync(
    join(ROOT, "node_modules/.bin/squawk"),
    [
      "--reporter=json",
      "--pg-version=15",
      ...[...DONE_BY_MIGRATE, ...TYPES].flatMap((rule) => ["-e", rule]),
      ...paths,
    ],
    { cwd: ROOT, encoding: "utf8" },
  );
  if (error || !stdout.trim().startsWith("[")) throw new Error(`squawk failed: ${error ?? stderr}`);
  const found = JSON.parse(stdout) as { file: string; line: number; rule_name: string; message: string }[];
  return found.map(({ file, line, rule_name, message }) => `${file}:${line + 1} ${rule_name}: ${message}`);
}

/** Statements that cannot run where the file puts them. */
function misplaced(path: string, sql: string): string[] {
  return sql.split("--> statement-breakpoint").flatMap((statement) => {
    const isOutside = /^\s*(?:--(?! outside).*\n\s*)*-- outside\n/.test(statement);
    const text = statement.replace(/^\s*--.*$/gm, "").trim();
    const first = text.split("\n")[0]!.slice(0, 80);
    if (/\bCONCURRENTLY\b/i.test(text) && !isOutside)
      return [`${path}: “${first}” runs outside the transaction of its file: mark it with -- outside`];
    const isRepeatable =
      /^CREATE (UNIQUE )?INDEX CONCURRENTLY "/i.test(text) ||
      /^DROP INDEX CONCURRENTLY IF EXISTS "/i.test(text) ||
      /^ALTER TABLE "\w+" VALIDATE CONSTRAINT/i.test(text) ||
      // A large update in batches, which goes on with what is left.
      (/^DO \$\$/i.test(text) && /LIMIT \d+[\s\S]*EXIT WHEN NOT FOUND;\s*COMMIT;/i.test(text)) ||
      (/^DO \$\$/i.test(text) && /IF NOT EXISTS/i.test(text));
    if (isOutside && !isRepeatable)
      return [`${path}: “${first}” is marked -- outside and cannot be repeated`];
    return [];
  });
}

describe("migrations", () => {
  it("keep the snapshot of the last one alone", () => {
    const files = repository.files.filter((path) => path.startsWith("db/migrations/"));
    const last = files
      .filter((path) => /\d{4}_.*\.sql$/.test(path))
      .at(-1)!
      .slice(14, 18);
    const snapshots = files.filter((path) => path.endsWith("_snapshot.json"));
    expect(snapshots).toEqual([`db/migrations/meta/${last}_snapshot.json`]);
  });
});

describe("migrations since the rules", () => {
  it("lock no table for long and keep the previous release running (Squawk)", () => {
    const paths = newMigrations(repository);
    expect(paths.length).toBeGreaterThan(0);
    expectNone("migrations", squawk(paths));
  });

  it("mark what runs outside a transaction", () =>
    expectNone(
      "migrations",
      newMigrations(repository).flatMap((path) => misplaced(path, repository.read(path))),
    ));

  it("are checked for every broken rule", () => {
    const folder = mkdtempSync(join(tmpdir(), "squawk-"));
    const path = join(folder, "9999_wrong.sql");
    writeFileSync(
      path,
      `ALTER TABLE "orders" ADD COLUMN "a" text NOT NULL;
CREATE INDEX "orders_by_a" ON "orders" USING btree ("a");
ALTER TABLE "orders" DROP COLUMN "locale";
ALTER TABLE "orders" RENAME COLUMN "country" TO "land";
ALTER TABLE "orders" ADD CONSTRAINT "orders_a" CHECK (a <> '');
ALTER TABLE "orders" ADD CONSTRAINT "orders_b" UNIQUE ("a");`,
    );
    const rules = squawk([path]).map((line) => /:\d+ ([\w-]+):/.exec(line)?.[1]);
    rmSync(folder, { recursive: true });
    expect(rules).toEqual(
      expect.arrayContaining([
        "adding-required-field",
        "require-concurrent-index-creation",
        "ban-drop-column",
        "renaming-column",
        "constraint-missing-not-valid",
        "disallowed-unique-constraint",
      ]),
    );
    expect(misplaced("x", 'CREATE INDEX CONCURRENTLY "a" ON "b" ("c");')).toHaveLength(1);
    expect(misplaced("x", '-- outside\nCREATE INDEX CONCURRENTLY "a" ON "b" ("c");')).toHaveLength(0);
    expect(misplaced("x", '-- outside\nALTER TABLE "b" ADD COLUMN "c" text;')).toHaveLength(1);
  });
});
