import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, expect, inject, it, vi } from "vitest";
import { z } from "zod";
import { client, closeDatabase, replicaDb } from "@/db/client";
import { openSql } from "@/db/connect";
import { connectToDatabase } from "@/db/monitor";
import { waitForDatabase } from "@/db/wait-for-database";
import { DatabaseDownError } from "@/lib/platform/database-failure";
import { env } from "@/lib/platform/env";
import { defineJob } from "@/lib/platform/jobs/queue";
import { runJobs } from "@/lib/platform/jobs/worker";
import { runRequest } from "@/lib/platform/request-scope";
import { rejectDemoDatabase } from "@/lib/staff/demo/reject-demo-database";
import { migrate } from "@/scripts/migrate";
import { MIGRATION_NAME, takeMigrationLock } from "@/scripts/postgres/migration-lock";
import { rejectOldDatabase } from "@/scripts/postgres/old-database";

/*
 * How a process starts with one Postgres, and reads from a replica. Poolers, standbys and TLS need programs that not every machine
 * has: lab/faults/database-trials.ts.
 */
const url = env().DATABASE_URL;
const otherName = `trials_${process.pid}`;
const admin = openSql(inject("databaseUrl").replace(/\/passlane$/, "/postgres"), { max: 1 });
const otherUrl = inject("databaseUrl").replace(/\/passlane$/, `/${otherName}`);
beforeAll(() => admin.unsafe(`create database ${otherName}`));
afterAll(async () => {
  await admin.unsafe(`drop database if exists ${otherName} with (force)`);
  await admin.end();
});

const opened: { end(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.end()));
});
/** The address of a busy database: it leaves its first connections without an answer. */
async function busyUrl(unanswered: number): Promise<string> {
  const { hostname, port } = new URL(url);
  let connections = 0;
  const busy = createServer((socket) => {
    socket.on("error", () => {});
    connections += 1;
    if (connections > unanswered)
      socket
        .pipe(connect(Number(port), hostname))
        .on("error", () => {})
        .pipe(socket);
  });
  await new Promise<void>((done) => busy.listen(0, "127.0.0.1", done));
  opened.push({ end: async () => void busy.close() });
  const address = new URL(url);
  address.host = `127.0.0.1:${(busy.address() as { port: number }).port}`;
  return address.href;
}

it("a migration waits for a busy database that leaves a connection unanswered", async () => {
  const said = vi.spyOn(console, "log").mockImplementation(() => {});
  const address = await busyUrl(1);
  await expect(migrate(address)).resolves.toEqual({ migrations: 0, functions: expect.any(Number) });
  expect(said.mock.calls[0]).toEqual([
    expect.stringMatching(/^Waiting for the database, 5 of 60 s: write CONNECT_TIMEOUT [\w.]+:\d+\.$/),
  ]);
  said.mockRestore();
});

it("every production process and npm start wait for a busy database before their first query", async () => {
  const said = vi.spyOn(console, "log").mockImplementation(() => {});
  const line = /^Waiting for the database, 5 of 60 s: write CONNECT_TIMEOUT [\w.]+:\d+\.$/;
  await rejectOldDatabase(await busyUrl(1));
  expect(said.mock.calls).toEqual([[expect.stringMatching(line)]]);
  said.mockClear();
  const modes = { APP_MODE: "production", PAYMENT_MODE: "test" } as const;
  await expect(rejectDemoDatabase(await busyUrl(1), modes, console.log)).rejects.toThrow(
    "This is the database of a demo",
  );
  expect(said.mock.calls).toEqual([[expect.stringMatching(line)]]);
  said.mockRestore();
});

it("a worker waits for a busy database when it starts its jobs", async () => {
  const address = env().DATABASE_DIRECT_URL;
  Object.assign(env(), { DATABASE_DIRECT_URL: await busyUrl(2) });
  const job = defineJob({ name: "wait-for-database", schema: z.object({}), run: async () => {} });
  const worker = await runJobs([job]);
  expect(worker.isRunning()).toBe(true);
  await worker.stop();
  Object.assign(env(), { DATABASE_DIRECT_URL: address });
});

it("a start gives up on a database that never answers, and immediately on one that refuses", async () => {
  const lines: string[] = [];
  const say = (line: string) => void lines.push(line);
  let attempts = 0;
  const never = async () => {
    attempts += 1;
    throw new DatabaseDownError("no answer");
  };
  await expect(waitForDatabase(never, { waitMs: 1_500, say })).rejects.toThrow(
    "The database has not answered for 2 s: no answer.",
  );
  expect(attempts).toBe(3);
  expect(lines).toEqual(["Waiting for the database, 0 of 2 s: no answer."]);
  const refuse = () => Promise.reject(new Error("wrong password"));
  await expect(waitForDatabase(refuse, { say })).rejects.toThrow("wrong password");
  expect(lines).toHaveLength(1);
});

it("a read-only server counts as down", async () => {
  const readOnly = (value: string) =>
    admin.unsafe(`alter database ${otherName} set default_transaction_read_only = ${value}`);
  await readOnly("on");
  const probe = await connectToDatabase(() => {}, otherUrl);
  await expect(probe.send()).rejects.toThrow(DatabaseDownError);
  probe.close();
  await readOnly("off");
  const other = await connectToDatabase(() => {}, otherUrl);
  await expect(other.send()).resolves.toBeUndefined();
  other.close();
});

it("a pooler in place of Postgres ends a start immediately, with the setting to change", async () => {
  // The response of PgBouncer to a connection with its own settings.
  const refusal = Object.assign(new Error("unsupported startup parameter: statement_timeout"), {
    code: "08P01",
  });
  await expect(waitForDatabase(() => Promise.reject(refusal), { say: () => {} })).rejects.toThrow(
    /leads through a transaction pooler.*DATABASE_DIRECT_URL must then be the address of Postgres itself\.$/,
  );
});

it("a refused password or database ends a start with a sentence that contains no password", async () => {
  const wrong = new URL(url);
  wrong.password = "wr0ng";
  wrong.pathname = "/nowhere";
  const message = await rejectOldDatabase(wrong.href).then(String, (error: Error) => error.message);
  expect(message).toMatch(/^(password authentication failed for user|database "nowhere" does not exist)/);
  expect(message).not.toContain("wr0ng");
});

it("a request prepares and sets nothing when its address differs from the direct one", async () => {
  const timeout = () => client()<{ ms: number }[]>`
    select setting::int as ms from pg_settings where name = 'statement_timeout'`;
  const countPrepared = () => client()<{ count: number }[]>`
    select count(*)::int as count from pg_prepared_statements where statement like '%statement_timeout%'`;
  const read = () =>
    runRequest({}, async () => [(await timeout())[0]!.ms, (await countPrepared())[0]!.count > 0]);
  const ownLimit = await client()<{ ms: number }[]>`
    select coalesce(boot_val::int, 0) as ms from pg_settings where name = 'statement_timeout'`;
  expect(await read()).toEqual([2_500, true]);
  Object.assign(env(), { DATABASE_URL: `${url}?application_name=pooler` });
  await closeDatabase();
  expect(await read()).toEqual([ownLimit[0]!.ms, false]);
  Object.assign(env(), { DATABASE_URL: url });
  await closeDatabase();
});

it("a replica that is a primary, refuses connections, or never answers is left out", async () => {
  const read = async () => {
    const [row] = await replicaDb.execute<{ name: string }>(
      sql`select current_setting('application_name') as name`,
    );
    return row!.name;
  };
  const silent = createServer(() => {}).listen(0, "127.0.0.1");
  await once(silent, "listening");
  const { port } = silent.address() as AddressInfo;
  for (const replicaUrl of [
    `${url}?application_name=replica`,
    "postgres://u@127.0.0.1:1/x",
    `postgres://u@127.0.0.1:${port}/x`,
  ]) {
    Object.assign(env(), { DATABASE_REPLICA_URL: replicaUrl });
    expect(await Promise.all([read(), read(), read()])).toEqual(["passlane", "passlane", "passlane"]);
    await closeDatabase();
  }
  silent.close();
  Object.assign(env(), { DATABASE_REPLICA_URL: undefined });
  expect(await read()).toBe("passlane");
});

function openMigration() {
  const sql = openSql(otherUrl, { max: 1, connection: { application_name: MIGRATION_NAME } });
  opened.push(sql);
  return sql;
}

it("a second migration names the one it waits for, gives up at its limit, and continues when the first ends", async () => {
  const first = openMigration();
  await takeMigrationLock(first);
  const lines: string[] = [];
  const say = (line: string) => void lines.push(line);
  await expect(takeMigrationLock(openMigration(), { waitMs: 600, say })).rejects.toThrow(
    /^Another migration has not ended within 0\.6 seconds: server process \d+, from [\d.]+, connected for 0 minutes\. End it/,
  );
  expect(lines).toEqual([expect.stringMatching(/^Waiting for another migration: server process \d+, from /)]);
  const second = takeMigrationLock(openMigration(), { say });
  await new Promise((resolve) => setTimeout(resolve, 100));
  await first.end();
  await second;
});
