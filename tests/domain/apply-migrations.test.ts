import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, afterEach, beforeEach, expect, inject, it } from "vitest";
import { migrate } from "@/scripts/migrate";
import { applyMigrations } from "@/scripts/postgres/apply-migrations";
import { MIGRATION_NAME } from "@/scripts/postgres/migration-lock";

const databaseUrl = (name: string) => inject("databaseUrl").replace(/\/passlane$/, `/${name}`);
const name = `apply_${process.pid}`;
const admin = postgres(databaseUrl("postgres"), { max: 1, onnotice: () => {} });
let client: postgres.Sql;
let other: postgres.Sql;
let folder: string;

beforeEach(async () => {
  await admin.unsafe(`drop database if exists ${name} with (force)`);
  await admin.unsafe(`create database ${name}`);
  client = postgres(databaseUrl(name), { max: 1, onnotice: () => {} });
  other = postgres(databaseUrl(name), { max: 2, onnotice: () => {} });
  folder = mkdtempSync(join(tmpdir(), "migrations-"));
  mkdirSync(join(folder, "meta"));
});
afterEach(async () => {
  await client.end();
  await other.end();
  rmSync(folder, { recursive: true });
});
afterAll(async () => {
  await admin.unsafe(`drop database if exists ${name} with (force)`);
  await admin.end();
});

function writeMigrations(files: string[][]): void {
  const entries = files.map((statements, idx) => {
    writeFileSync(join(folder, `${idx}.sql`), statements.join("\n--> statement-breakpoint\n"));
    return { idx, version: "7", when: 1000 + idx, tag: `${idx}`, breakpoints: true };
  });
  writeFileSync(
    join(folder, "meta/_journal.json"),
    JSON.stringify({ version: "7", dialect: "postgresql", entries }),
  );
}
const recorded = async () => (await other`select from drizzle.__drizzle_migrations`).length;
const INDEX = '-- outside\nCREATE UNIQUE INDEX CONCURRENTLY "t_by_a" ON "t" ("a");';

it("a migration builds a concurrent index before the transaction of its file, and again when a run left it unfinished", async () => {
  writeMigrations([
    ["CREATE TABLE t (a int)", "INSERT INTO t VALUES (1), (1)"],
    [INDEX, "ALTER TABLE t ADD COLUMN b int"],
  ]);
  await expect(applyMigrations(client, folder)).rejects.toThrow(/could not create unique index/);
  expect(await recorded()).toBe(1);
  expect(await other`select from pg_index where not indisvalid`).toHaveLength(1);
  await other`delete from t where ctid = '(0,2)'`;
  await applyMigrations(client, folder);
  expect(await recorded()).toBe(2);
  expect(await other`select indisvalid from pg_index where indexrelid = 't_by_a'::regclass`).toMatchObject([
    { indisvalid: true },
  ]);
  await applyMigrations(client, folder);
  expect(await recorded()).toBe(2);
});

// Repeated, because load on the machine can only add time.
it("a migration waits three seconds for a table in use, lets other statements go on, and repeats the file", {
  retry: 2,
}, async () => {
  writeMigrations([["CREATE TABLE t (a int)"]]);
  await applyMigrations(client, folder);
  writeMigrations([["CREATE TABLE t (a int)"], ["CREATE TABLE u (a int)", "ALTER TABLE t ADD COLUMN b int"]]);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let locked = () => {};
  const isLocked = new Promise<void>((resolve) => {
    locked = resolve;
  });
  const reader = other.begin(async (tx) => {
    await tx`select from t`;
    locked();
    await held;
  });
  await isLocked;
  const start = Date.now();
  const migrating = applyMigrations(client, folder);
  const waits: number[] = [];
  while (Date.now() - start < 6_000) {
    const from = Date.now();
    await other`select from t`;
    waits.push(Date.now() - from);
  }
  release();
  await reader;
  await migrating;
  expect(Math.max(...waits)).toBeGreaterThan(1_000); // it waited behind the migration
  expect(Math.max(...waits)).toBeLessThan(4_500);
  expect(await recorded()).toBe(2);
  expect(await other`select b from t`).toEqual([]);
});

it("the extension and the queue's schema wait just as long for a lock, and are repeated", async () => {
  const isWaiting = async (statement: string) => {
    const waiting = await admin`select from pg_stat_activity where datname = ${name}
      and application_name = ${MIGRATION_NAME} and wait_event_type = 'Lock' and query like ${`${statement}%`}`;
    return waiting.length > 0;
  };
  const statements = ["create extension", "create schema"];
  const [extension, queue] = [await other.reserve(), await other.reserve()];
  await extension.unsafe("begin; create extension pg_trgm");
  await queue.unsafe("begin; create schema graphile_worker");
  const migrating = migrate(databaseUrl(name));
  for (const [index, session] of [extension, queue].entries()) {
    await expect.poll(() => isWaiting(statements[index]!), { interval: 20 }).toBe(true);
    await expect.poll(() => isWaiting(statements[index]!), { interval: 20 }).toBe(false);
    await session`rollback`; // until here it was in use
    session.release();
  }
  expect((await migrating).migrations).toBeGreaterThan(0);
});
