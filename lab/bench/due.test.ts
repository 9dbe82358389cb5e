import { sql } from "drizzle-orm";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest";
import type { UserViewer } from "@/lib/platform/auth/session";
import type { Job } from "@/lib/platform/jobs/queue";
import { BUYER, fillHistory } from "./history";

/**
 * Scheduled jobs, ticks, metrics, the export and the deletion of an account read what is due, not the whole history
 * (docs/performance.md#what-is-due): a shop of 300,000 orders, a first run of every job that catches up, a day, and a
 * second run whose reads are counted. Runs in `npm run test:all` only. DUE_ORDERS sets another size, DUE_PRINT=1
 * prints the reads of every job, DUE_DATABASE names a filled database (lab/bench/history.ts) that is used as it is.
 */
vi.setConfig({ testTimeout: 600_000, hookTimeout: 1_800_000 });

const ORDERS = Number(process.env.DUE_ORDERS ?? 300_000);
/** A table with fewer rows at this size may be read as a whole. */
const HISTORY_ROWS = ORDERS / 21;

const sent = vi.hoisted(() => [] as { text: string; values: unknown[] }[]);
vi.mock("postgres", async (load) => {
  const { default: create } = await load<{ default: typeof import("postgres") }>();
  const debug = (_connection: number, text: string, values: unknown[]) => void sent.push({ text, values });
  return { default: (url: string, options: object) => create(url, { ...options, debug }) };
});

const kept = process.env.DUE_DATABASE;
const name = `due_${process.pid}`;
const databaseUrl = (database: string) => inject("databaseUrl").replace(/\/passlane$/, `/${database}`);
const admin = postgres(databaseUrl("postgres"), { max: 1, onnotice: () => {} });
let observer: postgres.Sql;
let history: Map<string, number>;
let jobs: Job[];

beforeAll(async () => {
  const url = kept ?? databaseUrl(name);
  if (!kept) {
    await admin.unsafe(`create database ${name} template passlane_template strategy file_copy`);
    await fillHistory(url, ORDERS);
  }
  observer = postgres(url, { max: 1, onnotice: () => {} });
  process.env.DATABASE_URL = url;
  const { allJobs } = await import("@/scripts/work");
  jobs = allJobs.filter(({ cron }) => cron);
  for (const job of jobs) await run(job);
  await observer`update shop_clock set shift = interval '1 day'`;
  await observer.unsafe("vacuum (analyze)");
  const rows = await observer<{ table: string; rows: number }[]>`
    select coalesce(parent.relname, c.relname) as table, sum(c.reltuples)::float8 as rows from pg_class c
    left join pg_inherits i on i.inhrelid = c.oid left join pg_class parent on parent.oid = i.inhparent
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace group by 1`;
  history = new Map(rows.filter((row) => row.rows >= HISTORY_ROWS).map((row) => [row.table, row.rows]));
});
afterAll(async () => {
  const { closeDatabase } = await import("@/db/client");
  await closeDatabase();
  await observer?.end();
  await admin.unsafe(`drop database if exists ${name} with (force)`);
  await admin.end();
});

const run = (job: Job) => job.run(job.schema.parse({}));

/** Rows that were read of each table since the last call, of its partitions together. */
async function readRows(): Promise<Map<string, number>> {
  const { closeDatabase } = await import("@/db/client");
  await closeDatabase(); // a connection hands its counts in when it ends
  await vi.waitUntil(async () => {
    const [row] = await observer<{ n: number }[]>`
      select count(*)::int as n from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`;
    return row!.n === 0;
  });
  const rows = await observer<{ table: string; read: number }[]>`
    select coalesce(parent.relname, s.relname) as table,
      sum(s.seq_tup_read + greatest(coalesce(s.idx_tup_fetch, 0), (
        select coalesce(sum(x.idx_tup_read), 0) from pg_stat_user_indexes x where x.relid = s.relid)))::float8 as read
    from pg_stat_user_tables s left join pg_inherits i on i.inhrelid = s.relid left join pg_class parent on parent.oid = i.inhparent
    where s.schemaname = 'public' group by 1`;
  return new Map(rows.map(({ table, read }) => [table, read]));
}

/** The statements that scan one of these tables as a whole, or the slowest ones where none does. */
async function culprits(statements: typeof sent, tables: string[]): Promise<string[]> {
  const found: string[] = [];
  for (const { text, values } of statements) {
    if (!/^\s*(select|with|insert|update|delete)/i.test(text)) continue;
    const plan = await observer
      .unsafe<{ "QUERY PLAN": string }[]>(`explain ${text}`, values as never[])
      .catch(() => []);
    const lines = plan.map((row) => row["QUERY PLAN"]);
    const scans = lines.filter((line) =>
      tables.some((table) => new RegExp(`Scan .*on ${table}\\b`).test(line)),
    );
    if (scans.length > 0)
      found.push(
        `${text.replace(/\s+/g, " ").slice(0, 300)}\n${scans.map((line) => `    ${line.trim()}`).join("\n")}`,
      );
  }
  return [...new Set(found)];
}

/** Runs something and returns what it read beyond `share` of a history table. */
async function readsTooMuch(label: string, share: number, work: () => Promise<unknown>): Promise<string[]> {
  const before = await readRows();
  sent.length = 0;
  const start = performance.now();
  await work();
  const milliseconds = performance.now() - start;
  const statements = sent.splice(0);
  const after = await readRows();
  const read = [...history.keys()]
    .map((table) => ({ table, rows: (after.get(table) ?? 0) - (before.get(table) ?? 0) }))
    .filter(({ rows }) => rows > 0)
    .sort((a, b) => b.rows - a.rows);
  if (process.env.DUE_PRINT)
    console.log(
      `${label}: ${milliseconds.toFixed(0)} ms; ${read
        .slice(0, 4)
        .map(({ table, rows }) => `${table} ${rows.toLocaleString("en")}`)
        .join(", ")}`,
    );
  const most = read.filter(
    ({ table, rows }) => rows > (WINDOWS[label]?.[table] ?? share) * history.get(table)!,
  );
  if (most.length === 0) return [];
  const scans = await culprits(
    statements,
    most.map(({ table }) => table),
  );
  return [
    ...most.map(
      ({ table, rows }) => `${label} reads ${rows} rows of ${table}, which has ${history.get(table)}`,
    ),
    ...scans,
  ];
}

/** Every minute, or every few. */
const isOfMinutes = ({ cron }: Job): boolean => /^\*(\/\d+)? \*/.test(cron!);

/** A share of a history of three years: a minute's job, an hour's, and a night's that counts the last forty days three times. */
const shareOf = (job: Job): number =>
  isOfMinutes(job) ? 0.01 : /^\d+ \* \* \* \*$/.test(job.cron!) ? 0.02 : 0.15;

/**
 * Tables of 90 days or of daily figures of which a job reads days or weeks, the codes in stock that a job or metric counts for
 * each plan, and the ledger, whose generated refunds are not in the order of time.
 */
const WINDOWS: Record<string, Record<string, number>> = {
  "update-product-figures": { visits: 0.06, plan_carts_daily: 0.02 },
  "update-searches": { searches: 0.4 },
  "update-source-figures": { visits: 0.06 },
  "update-day-figures": { ledger_entries: 0.06, key_events: 0.03 },
  "recount-day-figures": { keys: 0.35, stock_daily: 0.7, plan_sales_daily: 0.5 },
  "notify-low-stock": { keys: 0.03, plan_sales_daily: 2 },
  "metric passlane_plans_low": { keys: 0.05, plan_sales_daily: 1, wait_list: 0.03 },
};

describe("in a shop with years of data", () => {
  it("the tables of history are filled", () => {
    expect([...history.keys()]).toEqual(
      expect.arrayContaining([
        ...[
          "orders",
          "order_lines",
          "order_events",
          "payments",
          "ledger_entries",
          "keys",
          "key_events",
          "custody_seals",
        ],
        ...[
          "mails",
          "visits",
          "searches",
          "source_events",
          "webhook_events",
          "sessions",
          "audit_entries",
          "merchant_sales",
        ],
        ...["coupons", "users", "wait_list", "invite_clicks"],
      ]),
    );
  });

  it("a scheduled job reads only what is due", async () => {
    const found: string[] = [];
    // A day's backlog is more than one run takes; the next runs finish it.
    for (let i = 0; i < 5; i++) for (const job of jobs.filter(isOfMinutes)) await run(job);
    for (const job of jobs) found.push(...(await readsTooMuch(job.name, shareOf(job), () => run(job))));
    expect(found.join("\n")).toBe("");
  });

  it("the worker's checks of every second read only what is due", async () => {
    const { TICKS } = await import("@/scripts/work");
    const found: string[] = [];
    for (const { name, run } of TICKS) {
      while (await run()); // what became due in a day
      found.push(...(await readsTooMuch(`tick ${name}`, 0.002, run)));
    }
    expect(TICKS.length).toBeGreaterThan(0);
    expect(found.join("\n")).toBe("");
  });

  it("the metrics of every few seconds read only what they count", async () => {
    const { DATABASE_METRICS } = await import("@/scripts/start/worker-metrics");
    const { db } = await import("@/db/client");
    const found: string[] = [];
    for (const { sql: statement, gauges } of DATABASE_METRICS) {
      const [name] = Object.keys(gauges);
      found.push(...(await readsTooMuch(`metric ${name}`, 0.01, () => db.execute(sql.raw(statement)))));
    }
    expect(DATABASE_METRICS.length).toBeGreaterThan(0);
    expect(found.join("\n")).toBe("");
  });

  it("the export of an account reads only its own rows", async () => {
    const { exportAccount } = await import("@/lib/accounts/export/export-account");
    expect(
      (await readsTooMuch("export", 0.01, async () => exportAccount(await viewerOf(BUYER)))).join("\n"),
    ).toBe("");
  });

  it("the deletion of an account reads only its own rows", async () => {
    const { deleteAccount } = await import("@/lib/accounts/erasure/delete-account");
    const viewer = await viewerOf(BUYER);
    const confirm = viewer.email.toLowerCase();
    expect(
      (await readsTooMuch("deletion", 0.01, () => deleteAccount(viewer, { confirm } as never, "en"))).join(
        "\n",
      ),
    ).toBe("");
  });
});

/** The user as a viewer who has just signed in. */
async function viewerOf(userId: string): Promise<UserViewer> {
  const [user] = await observer<{ email: string; username: string }[]>`
    select email, username from users where id = ${userId}`;
  const sessionId = `ses_due_${Math.random().toString(36).slice(2)}`;
  await observer`
    insert into sessions (id, user_id, refresh_hash, device, expires_at)
    values (${sessionId}, ${userId}, ${sessionId}, 'test', shop_now() + interval '1 day')`;
  return {
    kind: "user",
    userId,
    sessionId,
    email: user!.email,
    username: user!.username,
    emailVerified: true,
    locale: "en",
  } as UserViewer;
}
