import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { client, closeDatabase, db, transaction } from "@/db/client";
import { createUser } from "@/db/factories/accounts";
import { createKeys, createProduct, createSinglePlan } from "@/db/factories/catalog";
import { createOrder } from "@/db/factories/orders";
import { DatabaseMetricsReader } from "@/db/metrics";
import { env } from "@/lib/platform/env";
import { closeShop, openShop } from "@/lib/platform/shop-closure";
import { startMetrics } from "@/lib/platform/telemetry/metrics";
import { servingGauges } from "@/lib/platform/telemetry/serving-gauges";
import { observe, stopTelemetry, telemetry } from "@/lib/platform/telemetry/telemetry";
import { DATABASE_METRICS, workerGauge } from "@/scripts/start/worker-metrics";

let port = 0;
const reader = new DatabaseMetricsReader(DATABASE_METRICS.map((metrics) => ({ ...metrics, seconds: 0 })));

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const scrape = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();

/** The value of a sample, by the start of its line. */
const sampleOf = (text: string, sample: string) =>
  text
    .split("\n")
    .filter((line) => line.startsWith(`${sample} `))
    .map((line) => Number(line.slice(sample.length + 1)))[0];

beforeAll(async () => {
  port = await freePort();
  const gauges = [...servingGauges(), workerGauge(() => true)];
  await closeDatabase(); // pools that are opened from now on are observed
  await startMetrics({ port, host: "127.0.0.1", gauges, database: { metrics: DATABASE_METRICS, reader } });
});
afterAll(async () => {
  await stopTelemetry();
  await closeDatabase();
});

describe("a scrape", () => {
  it("has every metric that the alerts and the dashboard use", async () => {
    const alerts = readFileSync("deploy/monitoring/alerts.yaml", "utf8");
    const dashboard = readFileSync("deploy/monitoring/dashboard.json", "utf8");
    const expressions = [
      ...(parse(alerts) as { groups: { rules: { expr: string }[] }[] }).groups.flatMap(({ rules }) =>
        rules.map(({ expr }) => expr),
      ),
      ...(JSON.parse(dashboard) as { panels: { targets?: { expr: string }[] }[] }).panels.flatMap(
        ({ targets = [] }) => targets.map(({ expr }) => expr),
      ),
    ];
    const named = new Set(
      expressions.flatMap((text) => text.match(/\b(?:passlane|process|nodejs)_[a-z0-9_]+/g) ?? []),
    );
    const text = await scrape();
    const declared = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!));
    const base = (name: string) => (declared.has(name) ? name : name.replace(/_(?:bucket|count|sum)$/, ""));
    expect([...named].filter((name) => !declared.has(base(name)))).toEqual([]);
    expect(named.size).toBeGreaterThan(25);
    expect(sampleOf(text, "passlane_worker_running")).toBe(1);
    // This process serves no pages.
    expect(text).not.toMatch(/^passlane_page_cache_trusted /m);
  });

  it("counts responses, jobs, calls, statements and the use of pools", async () => {
    for (const report of telemetry.onResponse)
      report({
        method: "GET",
        route: "/product/{slug}",
        path: "/product/a",
        status: 200,
        ms: 12,
        bytes: 10,
        requestId: "r",
        network: "10.0.0.0",
        cache: "hit",
      });
    await observe({ kind: "job", name: "send-mail" }, async () => {});
    await observe({ kind: "provider", name: "stripe refund" }, () => Promise.reject(new Error("no"))).catch(
      () => {},
    );
    const text = await scrape();
    expect(
      sampleOf(text, 'passlane_http_requests_total{method="GET",route="/product/{slug}",status="200"}'),
    ).toBe(1);
    expect(sampleOf(text, 'passlane_page_cache_responses_total{result="hit"}')).toBe(1);
    expect(sampleOf(text, 'passlane_job_duration_seconds_count{job="send-mail",outcome="done"}')).toBe(1);
    const failed = 'passlane_provider_call_duration_seconds_count{call="stripe refund",outcome="failed"}';
    expect(sampleOf(text, failed)).toBe(1);
  });

  it("shows the state of the queue and webhook events", async () => {
    const due = (text: string) => sampleOf(text, 'passlane_jobs{job="metrics-test",state="due"}') ?? 0;
    const before = await scrape();
    await client()`select graphile_worker.add_job('metrics-test', run_at => now() - interval '10 minutes', max_attempts => 2)`;
    const [failed] = await client()<
      { id: string }[]
    >`select (graphile_worker.add_job('metrics-test', max_attempts => 2)).id`;
    await client()`select graphile_worker.permanently_fail_jobs(array[${failed!.id}::bigint], 'no')`;
    await client()`insert into webhook_events (id, type, object_id, livemode, payload, created_at)
      values ('evt_metrics', 'x', 'x', false, '{}', shop_now() - interval '20 minutes')`;
    const text = await scrape();
    expect(due(text)).toBe(due(before) + 1);
    expect(sampleOf(text, 'passlane_jobs{job="metrics-test",state="failed"}')).toBe(1);
    expect(sampleOf(text, 'passlane_jobs_oldest_seconds{job="metrics-test"}')).toBeGreaterThan(590);
    expect(sampleOf(text, "passlane_webhook_lag_seconds")).toBeGreaterThan(1190);
    expect(sampleOf(text, "passlane_metrics_read_failures")).toBe(0);
    await client()`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs where task_identifier = 'metrics-test'))`;
    await client()`delete from webhook_events where id = 'evt_metrics'`;
  });

  it("counts paid orders without codes, overdue holds, unfinished refunds and failed emails", async () => {
    const user = await createUser();
    const { id: planId } = await createSinglePlan();
    const samples = [
      'passlane_orders_undelivered{state="paid"}',
      'passlane_orders_undelivered{state="processing"}',
      "passlane_orders_hold_overdue",
      "passlane_refunds_failed",
      "passlane_emails_failed",
      "passlane_emails_queued",
    ];
    const count = async () => {
      const text = await scrape();
      return { text, values: samples.map((sample) => sampleOf(text, sample)!) };
    };
    const before = await count();
    const paid = await createOrder(user, planId, { status: "paid" });
    await createOrder(user, planId, { status: "processing" });
    await createOrder(user, planId, { status: "completed" });
    await createOrder(user, planId, { holdMinutes: -6 });
    await createOrder(user, planId, { holdMinutes: -4 }); // the sweep has five minutes
    await client()`update orders set paid_at = shop_now() - interval '400 days' where id = ${paid.id}`;
    await client()`insert into refunds (id, order_id, amount_cents, reason, state, updated_at) values
      ('ref_metrics_1', ${paid.id}, 100, 'a', 'failed', shop_now()),
      ('ref_metrics_2', ${paid.id}, 100, 'b', 'submitted', shop_now() - interval '400 days'),
      ('ref_metrics_3', ${paid.id}, 100, 'c', 'succeeded', shop_now() - interval '500 days')`;
    await client()`insert into mails (id, event, to_address, locale, refs, dedupe_key, state, failed_at)
      select 'metrics-' || n, 'welcome', 'metrics@example.com', 'en', '{}', 'metrics-' || n,
        case when n = 3 then 'queued' else 'failed' end, shop_now() - make_interval(hours => (array[1, 25, null])[n])
      from generate_series(1, 3) n`;
    const { text, values } = await count();
    expect(values.map((value, index) => value - before.values[index]!)).toEqual([1, 1, 1, 1, 1, 1]);
    for (const oldest of [
      'passlane_orders_undelivered_oldest_seconds{state="paid"}',
      "passlane_refunds_oldest_open_seconds",
    ]) {
      const seconds = sampleOf(text, oldest)! - 400 * 86_400;
      expect([oldest, seconds >= 0 && seconds < 60]).toEqual([oldest, true]);
    }
    await client()`delete from refunds where id like 'ref_metrics%'`;
    await client()`delete from mails where id like 'metrics-%'`;
    await client()`update orders set status = 'shipped' where user_id = ${user.id} and status in ('paid', 'processing')`;
    await client()`update orders set status = 'cancelled' where user_id = ${user.id} and status = 'pending'`;
    expect((await count()).values).toEqual(before.values);
  });

  it("names the plans whose stock is below their threshold", async () => {
    const { slug, plans } = await createProduct({ plans: [{ keys: 2 }, { type: "month", keys: 3 }] });
    const [below, at] = plans.map(({ id }) => `passlane_plan_low_stock{product="${slug}",plan="${id}"}`);
    const before = sampleOf(await scrape(), "passlane_plans_low")!;
    for (const { id } of plans)
      await client()`insert into stock_alerts (plan_id, kind, value) values (${id}, 'codes', 3)`;
    const text = await scrape();
    expect(sampleOf(text, "passlane_plans_low")).toBe(before + 1);
    expect([sampleOf(text, below!), sampleOf(text, at!)]).toEqual([2, undefined]);
    await createKeys(plans[0]!.id, 1);
    expect(sampleOf(await scrape(), "passlane_plans_low")).toBe(before);
  });

  it("shows the codes held back by the journal, and how long the shop has been closed", async () => {
    const { id: planId } = await createSinglePlan({ keys: 2 });
    await client()`insert into unjournaled_keys (key_id, order_id, created_at)
      select id, 'metrics', shop_now() - make_interval(secs => 20 + 100 * (row_number() over (order by id) - 1))
      from keys where plan_id = ${planId}`;
    await closeShop("metrics", "staff:test");
    await client()`update shop_closure set created_at = shop_now() - interval '2 hours'`;
    const closed = await scrape();
    // The other one has waited for twenty seconds.
    expect(sampleOf(closed, "passlane_codes_held_back")).toBe(1);
    expect(sampleOf(closed, "passlane_codes_held_back_oldest_seconds")).toBeGreaterThanOrEqual(120);
    expect(sampleOf(closed, "passlane_shop_closed_seconds")).toBeGreaterThanOrEqual(7_200);
    await openShop("staff:test");
    await client()`delete from unjournaled_keys where order_id = 'metrics'`;
    const open = await scrape();
    expect(sampleOf(open, "passlane_codes_held_back")).toBe(0);
    expect(sampleOf(open, "passlane_codes_held_back_oldest_seconds")).toBe(0);
    expect(sampleOf(open, "passlane_shop_closed_seconds")).toBe(0);
  });

  it("is refused at any other path", async () => {
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404);
    expect((await fetch(`http://127.0.0.1:${port}/metrics`, { method: "POST" })).status).toBe(404);
  });
});

describe("the state reader", () => {
  it("is a single process, replaced by another when it ends", async () => {
    await reader.refresh();
    expect(reader.isReader).toBe(true);
    const second = new DatabaseMetricsReader(DATABASE_METRICS);
    await second.refresh();
    expect([second.isReader, second.samples()]).toEqual([false, []]);
    await second.stop();
    await reader.stop();
    const third = new DatabaseMetricsReader(DATABASE_METRICS);
    await third.refresh();
    expect(third.isReader).toBe(true);
    expect(third.samples().length).toBeGreaterThan(10);
    await third.stop();
  });

  it("gives up on a statement that takes too long, and says so", async () => {
    const slow = new DatabaseMetricsReader([
      {
        sql: "select pg_sleep(20)",
        seconds: 0,
        gauges: { x: { help: "x" } },
        toSamples: () => [{ name: "x", value: 1 }],
      },
      {
        sql: "select 1",
        seconds: 0,
        gauges: { y: { help: "y" } },
        toSamples: () => [{ name: "y", value: 1 }],
      },
    ]);
    const startedAt = performance.now();
    await slow.refresh();
    expect(performance.now() - startedAt).toBeLessThan(18_000); // the statement sleeps for 20
    expect([slow.failures, slow.samples().map(({ name }) => name)]).toEqual([1, ["y"]]);
    await slow.stop();
  });

  it("writes nothing", async () => {
    const writer = new DatabaseMetricsReader(
      [{ sql: "create table metrics_wrote (a int)", seconds: 0, gauges: {}, toSamples: () => [] }],
      env().DATABASE_URL,
    );
    await writer.refresh();
    expect(writer.failures).toBe(1);
    await writer.stop();
  });
});

describe("an observed pool", () => {
  it("runs statements, parts of statements, transactions and savepoints as before", async () => {
    const pool = client();
    const part = pool`where n > ${1}`;
    const rows = await pool`select n from generate_series(1, 3) n ${part}`;
    expect(rows.map(({ n }) => n)).toEqual([2, 3]);
    expect(await pool`select 7 as n`.values()).toEqual([[7]]);
    expect(await db.execute(sql`select 1 as a`)).toEqual([{ a: 1 }]);
    await expect(pool`select 1 / ${0}::int`).rejects.toMatchObject({ code: "22012" });
    const value = await transaction(async (tx) => {
      await tx.execute(sql`create temporary table observed (n int) on commit drop`);
      await transaction((inner) => inner.execute(sql`insert into observed values (1)`), { within: tx });
      await transaction(
        async (inner) => {
          await inner.execute(sql`insert into observed values (2)`);
          throw new Error("undo");
        },
        { within: tx },
      ).catch(() => {});
      return tx.execute<{ n: number }>(sql`select n from observed`);
    });
    expect([...value]).toEqual([{ n: 1 }]);
    expect(telemetry.pools.get("background")).toEqual({ max: env().DATABASE_POOL, inUse: 0 });
    const text = await scrape();
    expect(sampleOf(text, 'passlane_statement_duration_seconds_count{pool="background"}')).toBeGreaterThan(6);
    expect(sampleOf(text, 'passlane_pool_wait_seconds_count{pool="background"}')).toBeGreaterThanOrEqual(1);
  });

  it("counts the waiters for a connection", async () => {
    const { DATABASE_POOL: max } = env();
    const sleeping = Promise.all(Array.from({ length: max + 3 }, () => client()`select pg_sleep(1)`));
    await expect
      .poll(async () => sampleOf(await scrape(), 'passlane_pool_in_use{pool="background"}'), { interval: 20 })
      .toBeGreaterThan(max);
    await sleeping;
    expect(telemetry.pools.get("background")?.inUse).toBe(0);
  });
});
