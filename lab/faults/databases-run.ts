import { sql } from "drizzle-orm";
import { z } from "zod";
import { closeDatabase, db, replicaDb, transaction } from "@/db/client";
import { openSql } from "@/db/connect";
import { connectClient, openPool } from "@/db/connect-pg";
import { createProduct } from "@/db/factories/catalog";
import { DatabaseMonitor } from "@/db/monitor";
import { findProductPage } from "@/lib/catalog/product/find-product-page";
import { defineJob, enqueue } from "@/lib/platform/jobs/queue";
import { runJobs } from "@/lib/platform/jobs/worker";
import { InvalidationListener } from "@/lib/platform/page-cache/invalidation-listener";
import { runRequest } from "@/lib/platform/request-scope";
import { sleep } from "@/tests/setup/shopper";

/*
 * One process of the part `databases` of `npm run faults` (database-trials.ts): runs what its first argument names on the
 * addresses of its environment, and prints results as lines of JSON.
 */
const [task = "", ...args] = process.argv.slice(2);
const print = (result: object) => console.log(JSON.stringify(result));
const inRequest = <T>(work: () => Promise<T>) => runRequest({}, work);

const holdJob = defineJob({
  name: "trial-hold",
  schema: z.object({}),
  run: async () => {
    print({ running: process.pid });
    await sleep(Number(args[0]));
  },
});

const TASKS: Record<string, () => Promise<void>> = {
  /** Both drivers, on an address. */
  async connect() {
    const url = args[0]!;
    const text =
      "select inet_server_port() as port, pg_is_in_recovery() as standby, (select ssl from pg_stat_ssl where pid = pg_backend_pid()) as tls";
    const drivers: [string, () => Promise<unknown[]>][] = [
      ["postgres.js", async () => openSql(url, { max: 2, connect_timeout: 3 }).unsafe(text)],
      ["pg", async () => (await connectClient(url)).query(text).then(({ rows }) => rows)],
      ["pg's pool", async () => (await openPool(url, { max: 2 }).query(text)).rows],
    ];
    for (const [driver, run] of drivers)
      await run().then(
        ([row]) => print({ driver, ...(row as object) }),
        (error: Error) => print({ driver, error: error.message }),
      );
  },

  /** Changes prices through DATABASE_URL, and counts those whose notification was not there when the listener confirmed. */
  async notifications() {
    const [changes = 0, listenUrl] = [Number(args[0]), args[1]];
    const received = new Set<string>();
    const listener = await InvalidationListener.open(
      { onTag: (tag) => received.add(tag), onLost: () => {} },
      listenUrl ? { listenUrl } : {},
    );
    let [missed, unconfirmed] = [0, 0];
    const { id } = await createProduct({ plans: [{ keys: 3 }] });
    // Other clients of the pooler, so that server connections change hands.
    let isBusy = true;
    const others = Array.from({ length: 6 }, async () => {
      while (isBusy) await inRequest(() => db.execute(sql`select pg_sleep(0.002)`));
    });
    for (let change = 0; change < changes; change++) {
      received.clear();
      await inRequest(() =>
        transaction((tx) =>
          tx.execute(sql`update plans set price_cents = price_cents + 1 where product_id = ${id}`),
        ),
      );
      if (!(await listener.confirm())) unconfirmed += 1;
      else if (!received.has(`product:${id}`)) missed += 1;
    }
    isBusy = false;
    await Promise.all(others);
    listener.stop();
    print({ changes, missed, unconfirmed });
  },

  /**
   * Changes a price and reads it as a page and by way of the replica, again and again until a line `end` arrives. Prints how often
   * the page was stale, and by how much the replica's price was at most.
   */
  async reads() {
    const { id } = await createProduct({ plans: [{ keys: 3 }] });
    let isRunning = true;
    process.stdin.on("data", () => {
      isRunning = false;
    });
    const empty = { changes: 0, stale: 0, replica: 0, oldestMs: 0, slowestMs: 0 };
    let total = { ...empty };
    const firstPrice = 1_000;
    const changedAt: number[] = [performance.now()];
    const report = setInterval(() => {
      print(total);
      total = { ...empty };
    }, 1_000);
    type Row = { cents: number; standby: boolean };
    const readPrice = () =>
      replicaDb.execute<Row>(
        sql`select price_cents as cents, pg_is_in_recovery() as standby from plans where product_id = ${id}`,
      );
    while (isRunning) {
      const price = firstPrice + changedAt.length;
      await db.execute(sql`update plans set price_cents = ${price} where product_id = ${id}`);
      changedAt.push(performance.now());
      const page = await inRequest(() => findProductPage({ id, locale: "en" }));
      if (Math.round(Number(page!.vip_options[0]!.price) * 100) !== price) total.stale += 1;
      const startedAt = performance.now();
      const [read] = await inRequest(readPrice);
      total.slowestMs = Math.max(total.slowestMs, Math.round(performance.now() - startedAt));
      const replacedAt = changedAt[Math.max(0, read!.cents - firstPrice) + 1];
      if (replacedAt !== undefined)
        total.oldestMs = Math.max(total.oldestMs, Math.round(performance.now() - replacedAt));
      total.changes += 1;
      if (read!.standby) total.replica += 1;
    }
    clearInterval(report);
    print(total);
  },

  /** Writes every 50 ms like a request, and prints the longest time without a write, until a line arrives. */
  async writes() {
    const monitor = DatabaseMonitor.start();
    monitor.onUp(() => void closeDatabase());
    await db.execute(sql`create table if not exists trial_writes (at timestamptz default clock_timestamp())`);
    let isRunning = true;
    process.stdin.on("data", () => {
      isRunning = false;
    });
    let [lastAt, gapMs, written, failed] = [performance.now(), 0, 0, 0];
    print({ writing: true });
    while (isRunning) {
      const isWritten = await monitor
        .whileUp(() => inRequest(() => db.execute(sql`insert into trial_writes default values`)))
        .then(
          () => true,
          () => false,
        );
      if (isWritten) {
        gapMs = Math.max(gapMs, Math.round(performance.now() - lastAt));
        lastAt = performance.now();
        written += 1;
      } else failed += 1;
      await sleep(50);
    }
    monitor.stop();
    print({ gapMs, written, failed });
  },

  /** A worker that runs the queued job for as long as the first argument says. */
  async worker() {
    await runJobs([holdJob]);
    await sleep(120_000);
  },

  async enqueue() {
    await transaction((tx) => enqueue(tx, holdJob, {}));
  },
};

await TASKS[task]!();
await closeDatabase();
process.exit(0);
