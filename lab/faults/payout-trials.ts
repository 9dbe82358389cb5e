import { spawn } from "node:child_process";
import { sql } from "drizzle-orm";
import postgres from "postgres";
import { closeDatabase, db } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { createMerchant, createSales, createSeller } from "@/db/factories/merchants";
import { createPayoutAccount } from "@/db/factories/payouts";
import { createStaff, type StaffUser } from "@/db/factories/staff";
import { createWebhookEndpoint } from "@/db/factories/webhooks";
import { cpuMicros } from "@/lab/bench/processes";
import { closeLedger } from "@/lib/payouts/closings/close-ledger";
import { listBalances } from "@/lib/payouts/console/list-balances";
import { listLedger } from "@/lib/payouts/console/list-ledger";
import { getRun, listRuns } from "@/lib/payouts/console/list-runs";
import { getMoney } from "@/lib/payouts/money/get-money";
import { listMoneyEntries } from "@/lib/payouts/money/list-money-entries";
import { fillRun, prepareRun } from "@/lib/payouts/runs/prepare-run";
import { sendRun } from "@/lib/payouts/runs/send-run";
import { listStatements } from "@/lib/payouts/statements/get-statement";
import { makeStatement } from "@/lib/payouts/statements/make-statement";
import { env } from "@/lib/platform/env";
import { prepareDatabase, repositoryRoot } from "@/scripts/start/server-process";
import * as sale from "@/tests/setup/sale";
import { seeded, sleep } from "@/tests/setup/shopper";
import { runTrial, type TrialResult } from "./table";

/** Bars: a run of all merchants, and a read of a list (docs/reliability.md). */
const RUN_SECONDS = 60;
const LIST_MS = 50;
const READS = 40;

type Size = { merchants: number; sales: number };

/**
 * In a shop with many merchants, a fifth of whose sales are unpaid, a run pays all of them in time, the next run pays
 * each of them once although its processes are killed with -9 repeatedly, and the lists respond in time. Uses its own
 * database.
 */
export const payoutTrial = (databaseUrl: string, size: Size, seed: number): Promise<TrialResult> =>
  runTrial(
    {
      invariant: `A run pays ${size.merchants.toLocaleString("en")} merchants within ${RUN_SECONDS} s, once, whatever is killed; lists answer within ${LIST_MS} ms`,
      trial: `a payout of a run in a shop of ${size.sales.toLocaleString("en")} sales`,
      seed,
    },
    (result) => withOwnDatabase(databaseUrl, () => payAll(size, seed, result)),
  );

async function withOwnDatabase(databaseUrl: string, work: () => Promise<void>): Promise<void> {
  const { DATABASE_URL, DATABASE_DIRECT_URL } = env();
  const url = Object.assign(new URL(databaseUrl), { pathname: "/payouts_trial" }).href;
  const server = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  await server`drop database if exists payouts_trial with (force)`;
  await server`create database payouts_trial`;
  await prepareDatabase({ ...process.env, DATABASE_URL: url }, { catalog: false, account: false });
  await closeDatabase();
  Object.assign(env(), { DATABASE_URL: url, DATABASE_DIRECT_URL: url });
  try {
    await work();
  } finally {
    await closeDatabase();
    Object.assign(env(), { DATABASE_URL, DATABASE_DIRECT_URL });
    await server`drop database if exists payouts_trial with (force)`;
    await server.end();
  }
}

async function payAll(size: Size, seed: number, result: TrialResult): Promise<void> {
  const random = seeded(seed);
  const [asking, deciding] = [
    await createStaff({ roles: ["finance"] }),
    await createStaff({ roles: ["finance"] }),
  ];
  const model = await generate(size);
  await closeLedger();
  const [startedAt, cpuBefore] = [performance.now(), await cpuMillis()];
  const { run_id: first } = await prepareRun(asking.viewer);
  await fillRun(first);
  await approve(first, asking, deciding);
  await sendRun(first);
  const seconds = (performance.now() - startedAt) / 1000;
  const cpu = ((await cpuMillis()) - cpuBefore) / size.merchants;
  if (seconds > RUN_SECONDS) result.violations.push(`the run took ${seconds.toFixed(1)} s`);
  await expectPaidOnce(first, size, result);

  // The next run is a week later, when the job of the hour has closed the entries of the first.
  await db.execute(sql`update shop_clock set shift = '7 days'`);
  await closeLedger();
  await db.execute(sql`
    update merchant_sales set available_at = shop_now() where available_at > shop_now() and booked_cents <> paid_out_cents`);
  const { run_id: second } = await prepareRun(asking.viewer);
  let kills = await runKilled("fill", second, random);
  await approve(second, asking, deciding);
  kills += await runKilled("send", second, random);
  await expectPaidOnce(second, size, result);

  const [payout] = await db.execute<{ id: string }>(
    sql`select id from payouts where run_id = ${second} limit 1`,
  );
  const seller = await createSeller(model);
  await makeStatement(seller.member);
  const input = { time_zone: "UTC" } as never;
  const reads: Record<string, () => Promise<unknown>> = {
    balances: listBalances,
    ledger: () => listLedger({ cursor: undefined }),
    payout: () => listLedger({ cursor: undefined, payout_id: payout!.id }),
    runs: listRuns,
    run: () => getRun(second),
    money: () => getMoney(seller),
    entries: () => listMoneyEntries(seller, input, "en"),
    statements: () => listStatements(seller),
  };
  const times: string[] = [];
  for (const [name, read] of Object.entries(reads)) {
    const p95 = Math.min(await p95Of(read), await p95Of(read)); // load on the machine can only add time
    times.push(`${name} ${p95.toFixed(0)}`);
    if (p95 > LIST_MS) result.violations.push(`${name}: p95 ${p95.toFixed(0)} ms`);
  }
  const { imbalance } = await listLedger({ cursor: undefined });
  if (imbalance !== 0) result.violations.push(`the ledger is off by ${imbalance}`);
  result.brokenVariant = `${seconds.toFixed(1)} s a run, ${cpu.toFixed(2)} ms of CPU a merchant, ${kills} kills; p95 in ms: ${times.join(", ")}`;
}

/** CPU time of this process and of its connections' processes at the database; NaN without /proc. */
async function cpuMillis(): Promise<number> {
  const connections = await db.execute<{ pid: number }>(
    sql`select pid from pg_stat_activity where datname = current_database()`,
  );
  return (
    [process.pid, ...connections.map(({ pid }) => pid)].reduce((sum, pid) => sum + cpuMicros(pid), 0) / 1000
  );
}

const approve = (id: string, asking: StaffUser, deciding: StaffUser) =>
  db.execute(sql`
    update payout_runs set state = 'approved', asked_by = ${asking.id}, approved_by = ${deciding.id}, approved_at = shop_now(),
      approved_cents = (select sum(cents) from payouts where run_id = ${id}) where id = ${id} and state = 'draft'`);

/**
 * Runs a step in processes that are killed after less than a second of work each, and in a last one that may finish.
 * Returns the number of kills.
 */
async function runKilled(step: "fill" | "send", runId: string, random: () => number): Promise<number> {
  let kills = 0;
  for (let left = 6; ; left--) {
    const child = spawn(process.execPath, ["--import", "tsx", "lab/faults/payout-process.ts", step, runId], {
      cwd: repositoryRoot,
      stdio: ["ignore", "inherit", "inherit", "ipc"],
      env: {
        ...process.env,
        DATABASE_URL: env().DATABASE_URL,
        DATABASE_DIRECT_URL: env().DATABASE_URL,
      } as NodeJS.ProcessEnv,
    });
    const ended = new Promise<string | number | null>((done) =>
      child.once("exit", (code, signal) => done(signal ?? code)),
    );
    await Promise.race([new Promise((done) => child.once("message", done)), ended]);
    if (left > 0) {
      await sleep(100 + random() * 900);
      child.kill("SIGKILL");
    }
    const end = await ended;
    if (end === 0) return kills;
    if (end !== "SIGKILL") throw new Error(`${step} ended with ${end}`);
    kills += 1;
  }
}

type Paid = { payouts: number; merchants: number; cents: number; lines: number; gone: number };

/** Each merchant is paid once, by the lines of its payout, and nothing is left or paid twice. */
async function expectPaidOnce(runId: string, size: Size, result: TrialResult): Promise<void> {
  // A run writes ten thousands of rows within seconds, before autovacuum has counted them.
  await db.execute(sql`analyze payouts, payout_lines, ledger_entries, merchant_sales`);
  const [paid] = await db.execute<Paid>(sql`
    select count(*)::int as payouts, count(distinct merchant_id)::int as merchants, sum(cents)::float8 as cents,
      (select sum(l.cents) from payout_lines l join payouts p on p.id = l.payout_id where p.run_id = ${runId})::float8 as lines,
      (select sum(-e.amount_cents) from ledger_entries e join payouts p on e.transfer_id = 'payout:' || p.id || ':1'
        where p.run_id = ${runId} and e.account = 'payouts_in_transit')::float8 as gone
    from payouts where run_id = ${runId} and state = 'sent'`);
  const { payouts, merchants, cents, lines, gone } = paid!;
  result.trials += payouts;
  if (payouts !== size.merchants || merchants !== payouts || cents !== lines || cents !== gone)
    result.violations.push(JSON.stringify(paid));
  const [wrong] = await db.execute<{ n: number }>(sql`
    select count(*)::int as n from merchant_sales s where s.paid_out_cents not in (0, s.booked_cents)
      or s.paid_out_cents = 0 and s.available_at <= shop_now()`);
  if (wrong!.n > 0) result.violations.push(`${wrong!.n} sales are paid wrongly or left out`);
}

async function p95Of(read: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let i = -5; i < READS; i++) {
    const startedAt = performance.now();
    await read();
    if (i >= 0) times.push(performance.now() - startedAt);
  }
  return times.sort((a, b) => a - b)[Math.ceil(READS * 0.95) - 1]!;
}

/**
 * Merchants with an owner, an account, a webhook endpoint for one in ten, and sales of $8.50 in a year, all booked: of ten, eight were paid by earlier payouts, one can be paid now, and
 * one later. Returns one of them.
 */
async function generate({ merchants, sales }: Size) {
  const model = await createMerchant({ trust: "trusted" });
  const { id: ownerId, memberId } = await createSeller(model);
  const endpoint = await createWebhookEndpoint(model);
  const buyer = await sale.createBuyer();
  const { plans } = await createProduct({ merchantId: model.id, plans: [{ type: "month", keys: 0 }] });
  const [line] = await createSales(buyer, plans[0]!.id, 1);
  const account = await createPayoutAccount(model.id);
  const each = Math.round(sales / merchants);
  await db.execute(sql`
    insert into merchants select r.* from merchants m, generate_series(1, ${merchants - 1}) n,
      lateral jsonb_populate_record(m, jsonb_build_object('id', 'mch_b' || n, 'handle', 'bench-' || n, 'name', 'Bench ' || n)) r where m.id = ${model.id}`);
  await db.execute(sql`
    insert into payout_accounts select r.* from payout_accounts a, generate_series(1, ${merchants - 1}) n,
      lateral jsonb_populate_record(a, jsonb_build_object('id', 'pac_b' || n, 'merchant_id', 'mch_b' || n)) r where a.id = ${account}`);
  await db.execute(sql`
    insert into users select r.* from users u, generate_series(1, ${merchants - 1}) n,
      lateral jsonb_populate_record(u, jsonb_build_object('id', 'usr_b' || n, 'email', 'bench-' || n || '@example.com', 'invite_code', 'bench' || n)) r
    where u.id = ${ownerId}`);
  await db.execute(sql`
    insert into merchant_members select r.* from merchant_members m, generate_series(1, ${merchants - 1}) n,
      lateral jsonb_populate_record(m, jsonb_build_object('id', 'mem_b' || n, 'merchant_id', 'mch_b' || n, 'user_id', 'usr_b' || n)) r
    where m.id = ${memberId}`);
  await db.execute(sql`
    insert into webhook_endpoints select r.* from webhook_endpoints e, generate_series(10, ${merchants - 1}, 10) n,
      lateral jsonb_populate_record(e, jsonb_build_object('id', 'whe_b' || n, 'merchant_id', 'mch_b' || n)) r where e.id = ${endpoint.id}`);
  const connection = postgres(env().DATABASE_URL, {
    max: 1,
    onnotice: () => {},
    connection: { session_replication_role: "replica" },
  });
  const ids = { line: line!, model: model.id };
  await connection.unsafe(
    `insert into order_lines select r.* from order_lines l, generate_series(0, ${merchants - 1}) m, generate_series(1, ${each}) n,
       lateral jsonb_populate_record(l, jsonb_build_object('id', 'line_b' || m || '_' || n, 'position', m * 10000 + n + 100)) r where l.id = '${ids.line}'`,
  );
  const merchant = `case when g.m = 0 then '${ids.model}' else 'mch_b' || g.m end`;
  const at = `shop_now() - make_interval(mins => ((${each} - g.n) * 525600 / ${each}) + g.m % 1000 + 120)`;
  await connection.unsafe(
    `insert into merchant_sales (line_id, merchant_id, order_id, product_id, plan_id, sold_at, buyer, units, gross_cents, discount_cents,
       funded_by, rule_id, commission_cents, net_cents, booked_cents, paid_out_cents, available_at)
     select 'line_b' || g.m || '_' || g.n, ${merchant}, s.order_id, s.product_id, s.plan_id, ${at}, 'buyer-test', 1, 1000, 0, 'shop',
       'cmr_default', 150, 850, 850, case when g.n % 10 < 8 then 850 else 0 end,
       shop_now() + case when g.n % 10 = 9 then interval '1 day' else interval '-1 hour' end
     from merchant_sales s, generate_series(0, ${merchants - 1}) m(m), generate_series(1, ${each}) n(n), lateral (select m.m, n.n) g
     where s.line_id = '${ids.line}'`,
  );
  await connection.unsafe(
    `insert into ledger_entries (transfer_id, account, amount_cents, merchant_id, line_id, created_at)
     select 'settle:line_b' || g.m || '_' || g.n, a.account, a.cents, ${merchant}, 'line_b' || g.m || '_' || g.n, ${at}
     from generate_series(1, ${each}) n(n), generate_series(0, ${merchants - 1}) m(m), lateral (select m.m, n.n) g,
       (values ('merchant_share', 850), ('merchant_payable', -850)) a(account, cents)`,
  );
  await connection.unsafe(
    `insert into ledger_entries (transfer_id, account, amount_cents, merchant_id, created_at)
     select 'payout:po_b' || g.m || ':1', a.account, a.cents * (select count(*) from generate_series(1, ${each}) n where n % 10 < 8), ${merchant}, shop_now() - interval '2 hours'
     from generate_series(0, ${merchants - 1}) m(m), lateral (select m.m) g, (values ('merchant_payable', 850), ('bank_cash', -850)) a(account, cents)`,
  );
  await connection.unsafe(`delete from merchant_sales where line_id = '${ids.line}'`);
  await connection.unsafe(`update payout_settings set minimum_cents = 100`);
  await connection.unsafe("analyze");
  await connection.end();
  return model;
}
