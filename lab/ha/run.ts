import { join } from "node:path";
import { createInterface } from "node:readline";
import type postgres from "postgres";
import { closeDatabase, db } from "@/db/client";
import { openSql } from "@/db/connect";
import {
  buy,
  createPlan,
  createSales,
  findUnservedSales,
  type Sale,
  waitUntilIdle,
} from "@/lab/faults/deployment-sales";
import { loadPagesAt } from "@/lab/faults/release-trials";
import { runTrial, type TrialResult } from "@/lab/faults/table";
import { sealCustody } from "@/lib/delivery/custody/seal-custody";
import { auditCustody, auditSale } from "@/tests/setup/audit";
import { seeded, sleep } from "@/tests/setup/shopper";
import { HaCluster } from "./cluster";
import { PriceChanges, WriteProbe } from "./probes";
import { type HaShop, startHaShop } from "./shop";

/*
 * The process of the part `ha` of `npm run faults` (ha-trials.ts). Its DATABASE_URL leads to the primary of the cluster. Runs the
 * parts that it reads from its input, and sends each result to its parent.
 */
type Settings = {
  folder: string;
  primaryPort: number;
  dataDir: string;
  releases: [{ id: string; folder: string }, { id: string; folder: string }];
  seed: number;
  counts: HaCounts;
  /** Time in milliseconds at which kills and rolls stop, whatever their count; null: never. */
  until: number | null;
};
export type HaCounts = {
  kills: number;
  rolls: number;
  loads: number;
  pauses: number;
  restarts: number;
  changes: number;
};
type Context = {
  cluster: HaCluster;
  shop: HaShop;
  pooler: postgres.Sql;
  seed: number;
  counts: HaCounts;
  isOver(): boolean;
};
type Faults = (context: Context, result: TrialResult, probe: WriteProbe) => Promise<string>;

const MAX_GAP_MS = 15_000;
const BUYERS = 6;
const SALE_LIMIT_MS = 180_000;
/** After this many faults, the idle system is audited too. */
const AUDIT_EVERY = 5;

/** Sales before, during and after a fault; the gap counts from its begin until writes succeed again. */
async function withSales(
  { shop, seed }: Context,
  result: TrialResult,
  probe: WriteProbe,
  all: Sale[],
  fault: () => Promise<void>,
): Promise<void> {
  const random = seeded(seed + result.trials);
  const sales = await createSales(shop, BUYERS, await createPlan(BUYERS + 2), random);
  all.push(...sales);
  const purchases = sales.map((sale) => sleep(random() * 3_000).then(() => buy(shop, sale)));
  await sleep(500 + random() * 1_500);
  const since = performance.now();
  await fault();
  await probe.waitForSuccess();
  result.recoveryMs.push(probe.gapSince(since));
  const isPaid = await Promise.race([Promise.all(purchases), sleep(SALE_LIMIT_MS).then(() => false)]);
  if (!isPaid) throw new Error(`a buyer was not served within ${SALE_LIMIT_MS / 1000} s`);
  result.trials++;
}

const killLeaders: Faults = async (context, result, probe) => {
  const { cluster, shop, counts } = context;
  const all: Sale[] = [];
  for (let kill = 1; kill <= counts.kills && !context.isOver(); kill++) {
    const leader = await cluster.leader();
    if (!leader) throw new Error("the cluster has no leader");
    await withSales(context, result, probe, all, async () => cluster.killNode(leader));
    cluster.startNode(leader);
    await cluster.waitUntilHealthy(120);
    result.violations.push(...(await auditSale()));
    if (kill % AUDIT_EVERY === 0) await waitUntilIdle(180);
    console.error(`kill ${kill}: ${Math.round(result.recoveryMs.at(-1)!)} ms`);
  }
  await waitUntilIdle(180);
  result.violations.push(...(await findUnservedSales(shop, all)));
  return `${all.length} sales`;
};

const rollInstances: Faults = async (context, result, probe) => {
  const { shop, counts } = context;
  const all: Sale[] = [];
  const loading = loadPagesAt(shop.address, counts.loads);
  loading.catch(() => {}); // awaited below
  for (let roll = 1; roll <= counts.rolls && !context.isOver(); roll++) {
    await withSales(context, result, probe, all, async () => {
      for (const index of [0, 1]) {
        const code = await shop.roll(index);
        if (code !== 0) result.violations.push(`an instance ended with ${code}`);
      }
    });
    console.error(`roll ${roll}: ${Math.round(result.recoveryMs.at(-1)!)} ms`);
  }
  const { missing, dead } = await loading;
  result.violations.push(...missing, ...dead);
  await waitUntilIdle(180);
  result.violations.push(...(await auditSale()), ...(await findUnservedSales(shop, all)));
  return `${all.length} sales; ${counts.loads} pages in a browser: ${missing.length} scripts missing, ${dead.length} inert`;
};

/** Pauses each replica in turn, so also the synchronous one. */
const pauseReplicas: Faults = async (context, result, probe) => {
  const { cluster, shop, counts } = context;
  const all: Sale[] = [];
  for (let pause = 1; pause <= counts.pauses; pause++) {
    const role = pause % 2 === 1 ? "sync_standby" : "replica";
    const member = (await cluster.members()).find((each) => each.role === role);
    const node = cluster.nodes.find(({ name }) => name === member?.name);
    if (!node) throw new Error(`the cluster has no ${role}`);
    await withSales(context, result, probe, all, async () => {
      cluster.signalNode(node, "SIGSTOP");
      await sleep(10_000);
      cluster.signalNode(node, "SIGCONT");
    });
    await cluster.waitUntilHealthy(120);
    console.error(`pause ${pause} (${role}): ${Math.round(result.recoveryMs.at(-1)!)} ms`);
  }
  await waitUntilIdle(180);
  result.violations.push(...(await auditSale()), ...(await findUnservedSales(shop, all)));
  return `${all.length} sales`;
};

const restartPooler: Faults = async (context, result, probe) => {
  const { cluster, shop, counts } = context;
  const all: Sale[] = [];
  for (let restart = 1; restart <= counts.restarts; restart++) {
    await withSales(context, result, probe, all, () => cluster.restartPooler());
    console.error(`restart ${restart}: ${Math.round(result.recoveryMs.at(-1)!)} ms`);
  }
  await waitUntilIdle(180);
  result.violations.push(...(await auditSale()), ...(await findUnservedSales(shop, all)));
  return `${all.length} sales`;
};

type Part = { invariant: string; trial: string; share: number; faults: Faults };
/** `share` is the part's share of all price changes. */
const PARTS: Record<string, Part> = {
  "ha-leader": {
    invariant: "kill -9 of the leader of a Patroni cluster loses nothing, and writes go on within 15 s (p95)",
    trial: "kill -9 of Patroni and Postgres on the leading one of three nodes during sales",
    share: 0.6,
    faults: killLeaders,
  },
  "ha-instances": {
    invariant: "A rollout between two releases loses nothing and no script",
    trial: "SIGTERM of one instance after the other and a start of the other release, during sales",
    share: 0.2,
    faults: rollInstances,
  },
  "ha-replica": {
    invariant: "A paused replica shows nothing stale and stops no sale",
    trial: "SIGSTOP of a replica for 10 s, the synchronous one and the other in turn, during sales",
    share: 0.1,
    faults: pauseReplicas,
  },
  "ha-pooler": {
    invariant: "A restarted pooler loses nothing",
    trial: "kill -9 of PgBouncer in transaction pooling, and a new one, during sales",
    share: 0.1,
    faults: restartPooler,
  },
};

const percentile95 = (values: number[]) =>
  [...values].sort((a, b) => a - b)[Math.max(0, Math.ceil(values.length * 0.95) - 1)] ?? 0;

const runPart = (name: string, context: Context): Promise<TrialResult> => {
  const { invariant, trial, share, faults } = PARTS[name]!;
  const { shop, pooler, seed, counts, cluster } = context;
  return runTrial({ invariant, trial, seed }, async (result) => {
    const exitsBefore = shop.workerExits();
    const probe = await WriteProbe.start(shop.address);
    const prices = await PriceChanges.start(pooler, () => shop.instances.map(({ address }) => address));
    const done = await faults(context, result, probe);
    await prices.finish(Math.ceil(counts.changes * share));
    await probe.stop();
    result.violations.push(...prices.stale);
    if (result.trials === 0) result.violations.push("no fault was made before the time was over");
    const p95 = percentile95(result.recoveryMs);
    if (p95 > MAX_GAP_MS) result.violations.push(`no write for ${Math.round(p95)} ms (p95)`);
    await sealCustody({ all: true });
    result.violations.push(...(await auditCustody()).broken);
    const exits = shop.workerExits() - exitsBefore;
    const remark =
      `${done}; ${prices.describe()}` +
      (exits > 0 ? `; the worker ended and was started again ${exits} times` : "");
    result.brokenVariant = name === "ha-leader" ? `${remark}; ${cluster.versions()}` : remark;
  });
};

const settings = JSON.parse(process.argv[2] ?? "") as Settings;
let cluster: HaCluster | undefined;
let shop: HaShop | undefined;
let isEnding = false;
async function end(code: number): Promise<never> {
  if (!isEnding) {
    isEnding = true;
    await shop?.stop().catch(() => {});
    cluster?.stop({ keep: code === 1 });
    if (code === 1) console.error(`The logs of the cluster remain in ${settings.folder}.`);
  }
  process.exit(code);
}
for (const name of ["SIGINT", "SIGTERM", "disconnect"]) process.once(name, () => void end(130));

try {
  cluster = await HaCluster.start(settings.folder, settings.primaryPort);
  console.error(`The cluster runs: ${cluster.versions()}.`);
  const { pooler: poolerUrl } = cluster.urls;
  shop = await startHaShop({ cluster, releases: settings.releases, dataDir: join(settings.dataDir, "ha") });
  await db.execute("select 1");
  console.error("The shop runs.");
  const pooler = openSql(poolerUrl, { max: 1, prepare: false, connect_timeout: 2, backoff: () => 0.2 });
  const { seed, counts, until } = settings;
  const isOver = () => until !== null && Date.now() > until;
  const context = { cluster, shop, pooler, seed, counts, isOver };
  let failed = false;
  for await (const name of createInterface({ input: process.stdin })) {
    if (name === "end") break;
    const result = await runPart(name, context);
    failed ||= result.violations.length > 0;
    process.send?.({ name, result });
  }
  await pooler.end({ timeout: 1 });
  await closeDatabase();
  await end(failed ? 1 : 0);
} catch (error) {
  console.error(error);
  await end(1);
}
