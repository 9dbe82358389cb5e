import { connect, createServer } from "node:net";
import { afterAll, afterEach, beforeAll, expect, inject, it, vi } from "vitest";
import { z } from "zod";
import { closeDatabase, readReplica } from "@/db/client";
import { openSql } from "@/db/connect";
import { connectClient, openPool } from "@/db/connect-pg";
import { requestPath } from "@/db/request-path";
import { tryDatabase } from "@/db/trials";
import { waitForDatabase } from "@/db/wait-for-database";
import { DatabaseDownError } from "@/lib/platform/database-failure";
import { env } from "@/lib/platform/env";
import { defineJob } from "@/lib/platform/jobs/queue";
import { runJobs } from "@/lib/platform/jobs/worker";
import { rejectDemoDatabase } from "@/scripts/demo-database";
import { migrate } from "@/scripts/migrate";
import { MIGRATION_NAME, takeMigrationLock } from "@/scripts/migration-lock";
import { rejectOldDatabase } from "@/scripts/old-database";

/*
 * The trials at the start of a process, against one Postgres. Poolers, standbys and TLS need programs that not every machine
 * has: tests/faults/database-trials.ts.
 */
const url = env().DATABASE_URL;
const DATABASE_PREPARE = undefined;
const otherName = `trials_${process.pid}`;
const admin = openSql(inject("databaseUrl").replace(/\/passlane$/, "/postgres"), { max: 1 });
const otherUrl = inject("databaseUrl").replace(/\/passlane$/, `/${otherName}`);
beforeAll(() => admin.unsafe(`create database ${otherName}`));
afterAll(async () => {
  await admin.unsafe(`drop database if exists ${otherName} with (force)`);
  await admin.end();
});

/** The address with another server before its own, which does not answer as Postgres would. */
function withFirstHost(host: string): string {
  const { hostname, port } = new URL(url);
  return url.replace(`@${hostname}:${port}/`, `@${host},${hostname}:${port}/`);
}

it("a direct address passes, and keeps settings and statements", async () => {
  await tryDatabase({ DATABASE_URL: url, DATABASE_DIRECT_URL: url, DATABASE_PREPARE });
  expect(requestPath()).toEqual({ keepsSettings: true, keepsStatements: true });
  // Two addresses of one database: what DATABASE_URL keeps is tried.
  const same = `${url}?application_name=same`;
  await tryDatabase({ DATABASE_URL: same, DATABASE_DIRECT_URL: url, DATABASE_PREPARE: "on" });
  expect(requestPath()).toEqual({ keepsSettings: true, keepsStatements: true });
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

it("a migration and a start wait for a busy database that leaves a connection without an answer", async () => {
  const said = vi.spyOn(console, "log").mockImplementation(() => {});
  const address = await busyUrl(1);
  await expect(migrate(address)).resolves.toEqual({ migrations: 0, functions: expect.any(Number) });
  expect(said.mock.calls[0]).toEqual([
    expect.stringMatching(
      /^Waiting for the database, 5 of 60 s: DATABASE_URL: no connection to [\w.]+:\d+ \(no answer\)\.$/,
    ),
  ]);
  said.mockRestore();
  const other = await busyUrl(1);
  await tryDatabase({ DATABASE_URL: other, DATABASE_DIRECT_URL: other, DATABASE_PREPARE });
});

it("every process of production, and npm start, wait for a busy database before their first question", async () => {
  const said = vi.spyOn(console, "log").mockImplementation(() => {});
  const line =
    /^Waiting for the database, 5 of 60 s: The database: no connection to [\w.]+:\d+ \(no answer\)\.$/;
  await rejectOldDatabase(await busyUrl(1));
  expect(said.mock.calls).toEqual([[expect.stringMatching(line)]]);
  said.mockClear();
  const modes = { APP_MODE: "production", PAYMENT_MODE: "test" } as const;
  await expect(rejectDemoDatabase(await busyUrl(1), modes)).rejects.toThrow("This is the database of a demo");
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

it("a start gives up on a database that never answers, and at once on one that refuses", async () => {
  const lines: string[] = [];
  const say = (line: string) => void lines.push(line);
  let attempts = 0;
  const never = async () => {
    attempts += 1;
    throw new DatabaseDownError("no answer");
  };
  await expect(waitForDatabase(never, { waitMs: 1_500, say })).rejects.toThrow("no answer");
  expect(attempts).toBe(3);
  expect(lines).toEqual(["Waiting for the database, 0 of 2 s: no answer."]);
  const refuse = () => Promise.reject(new Error("wrong password"));
  await expect(waitForDatabase(refuse, { say })).rejects.toThrow("wrong password");
  expect(lines).toHaveLength(1);
});

it("two addresses of different databases are refused", async () => {
  await expect(
    tryDatabase({ DATABASE_URL: url, DATABASE_DIRECT_URL: otherUrl, DATABASE_PREPARE }),
  ).rejects.toThrow(/^DATABASE_DIRECT_URL does not deliver what is notified through DATABASE_URL: both must/);
});

it("what Postgres refuses is one sentence without the password", async () => {
  const wrong = new URL(url);
  wrong.password = "wr0ng";
  wrong.pathname = "/nowhere";
  const refused = tryDatabase({
    DATABASE_URL: wrong.href,
    DATABASE_DIRECT_URL: wrong.href,
    DATABASE_PREPARE,
  });
  const message = await refused.then(String, (error: Error) => error.message);
  expect(message).toMatch(/^DATABASE_URL: no connection to [\w.]+:\d+ \((28P01|3D000), [^\n]+\)\.$/);
  expect(message).not.toContain("wr0ng");
});

it("both drivers leave out a host that refuses, and one that is silent", async () => {
  const silent = createServer(() => {});
  await new Promise<void>((done) => silent.listen(0, "127.0.0.1", done));
  const silentPort = (silent.address() as { port: number }).port;
  for (const first of ["127.0.0.1:1", `127.0.0.1:${silentPort}`]) {
    const several = withFirstHost(first);
    const sql = openSql(several, { max: 2 });
    const pool = openPool(several, { max: 1 });
    const client = await connectClient(several);
    const text = "select current_database() as name";
    const names = [await sql.unsafe(text), (await pool.query(text)).rows, (await client.query(text)).rows];
    expect(names.map(([row]) => row.name)).toEqual(Array(3).fill(new URL(url).pathname.slice(1)));
    await Promise.all([sql.end(), pool.end(), client.end()]);
  }
  silent.close();
});

it("statements fail at once, however many, while no host answers", async () => {
  const gone = "postgres://u@127.0.0.1:1,127.0.0.1:2/x";
  const sql = openSql(gone, { max: 2, backoff: () => 0.01 });
  // More failures than connections: a failed connection returns to the pool.
  for (let attempt = 0; attempt < 5; attempt++)
    await expect(sql`select 1`).rejects.toThrow(/^no host answers/);
  await sql.end();
});

// Repeated, because load on the machine can only add time.
it("a replica that is not one, or does not answer, is left out", { retry: 3 }, async () => {
  const read = () =>
    readReplica(
      () => Promise.resolve("replica"),
      () => Promise.resolve("primary"),
    );
  for (const replicaUrl of [url, "postgres://u@127.0.0.1:1/x"]) {
    Object.assign(env(), { DATABASE_REPLICA_URL: replicaUrl });
    const startedAt = performance.now();
    expect(await Promise.all([read(), read(), read()])).toEqual(["primary", "primary", "primary"]);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    await closeDatabase();
  }
  Object.assign(env(), { DATABASE_REPLICA_URL: undefined });
  expect(await read()).toBe("primary");
});

function openMigration() {
  const sql = openSql(otherUrl, { max: 1, connection: { application_name: MIGRATION_NAME } });
  opened.push(sql);
  return sql;
}

it("a second migration says whom it waits for, gives up at its bound, and goes on when the first ends", async () => {
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
