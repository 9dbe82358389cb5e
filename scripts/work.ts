import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { closeDatabase } from "@/db/client";
import { connectToDatabase, DatabaseMonitor } from "@/db/monitor";
import { waitForDatabase } from "@/db/wait-for-database";
import * as accountJobs from "@/lib/accounts/jobs";
import * as catalogJobs from "@/lib/catalog/jobs";
import { refreshListingIndex } from "@/lib/catalog/listing/refresh-listing-index";
import * as couponJobs from "@/lib/coupons/jobs";
import * as deliveryJobs from "@/lib/delivery/jobs";
import { reportJournal } from "@/lib/delivery/journal/journal-keys";
import { checkVaultKeys } from "@/lib/delivery/vault-keys/check-vault-keys";
import * as merchantJobs from "@/lib/merchants/jobs";
import * as notificationJobs from "@/lib/notifications/jobs";
import * as orderJobs from "@/lib/orders/jobs";
import * as paymentJobs from "@/lib/payments/jobs";
import * as payoutJobs from "@/lib/payouts/jobs";
import { env } from "@/lib/platform/env";
import type { Job } from "@/lib/platform/jobs/queue";
import { runJobs, type Worker } from "@/lib/platform/jobs/worker";
import { log } from "@/lib/platform/log";
import { prepareMailbox } from "@/lib/platform/mail/mailbox";
import { isShopClosed } from "@/lib/platform/shop-closure";
import { settleDueSandboxIntents } from "@/lib/platform/stripe/sandbox/confirm";
import { deliverSandboxEvents } from "@/lib/platform/stripe/sandbox/events";
import { startTelemetry } from "@/lib/platform/telemetry/start";
import { stopTelemetry } from "@/lib/platform/telemetry/telemetry";
import * as referralJobs from "@/lib/referrals/jobs";
import * as reviewJobs from "@/lib/reviews/jobs";
import { rejectDemoDatabase } from "@/lib/staff/demo/reject-demo-database";
import * as staffJobs from "@/lib/staff/jobs";
import * as supportJobs from "@/lib/support/jobs";
import * as trackingJobs from "@/lib/tracking/jobs";
import { dispatchWebhooks } from "@/lib/webhooks/delivery/dispatch-webhooks";
import * as webhookJobs from "@/lib/webhooks/jobs";
import { startOrExit } from "./start/start-or-exit";
import { startWorkerMetrics } from "./start/worker-metrics";

/** The jobs files of the nouns. They also register the emails of their nouns. */
const JOBS_FILES = [
  accountJobs,
  catalogJobs,
  couponJobs,
  deliveryJobs,
  merchantJobs,
  notificationJobs,
  orderJobs,
  paymentJobs,
  payoutJobs,
  referralJobs,
  reviewJobs,
  staffJobs,
  supportJobs,
  trackingJobs,
  webhookJobs,
];

/** Every background job: what the jobs files export besides functions. */
export const allJobs = JOBS_FILES.flatMap((file) => Object.values<unknown>(file)).filter(
  (exported): exported is Job => typeof exported === "object",
);

type Tick = { name: string; ms: number; run(): Promise<unknown> };

/** What a worker does every second or two, besides its jobs. */
export const TICKS: Tick[] = [
  { name: "listing index", ms: 1_000, run: refreshListingIndex },
  { name: "webhooks", ms: 1_000, run: dispatchWebhooks },
];
const SANDBOX_TICK: Tick = { name: "sandbox", ms: 2_000, run: runSandbox };
const CLOSURE_TICK_MS = 1_000;

const warn = (line: string) => log.warn({}, line);

/** Runs the background jobs in this process: beside the server by default, or alone as `npm run worker`. */
export async function startWorker(): Promise<Worker> {
  await prepareMailbox();
  const jobs = await runWhileOpen(() => runJobs(allJobs));
  const ticks = [...TICKS, ...(env().PAYMENT_MODE === "sandbox" ? [SANDBOX_TICK] : [])].map(startTick);
  return {
    isRunning: jobs.isRunning,
    async stop() {
      await Promise.all([jobs.stop(), ...ticks.map((tick) => tick.stop())]);
    },
  };
}

/**
 * Runs jobs while the shop is open. A closed one ends them and starts them again once it opens; until then the worker counts
 * as running.
 */
async function runWhileOpen(start: () => Promise<Worker>): Promise<Worker> {
  let jobs = (await waitForDatabase(isShopClosed, { say: warn })) ? undefined : await start();
  let closed = jobs === undefined;
  const follow = startTick({
    name: "closure of the shop",
    ms: CLOSURE_TICK_MS,
    async run() {
      closed = await isShopClosed();
      if (closed === (jobs === undefined)) return;
      log.info({}, closed ? "the shop is closed: no jobs run" : "the shop is open: jobs run");
      if (closed) {
        await jobs?.stop();
        jobs = undefined;
      } else jobs = await start();
    },
  });
  return {
    isRunning: () => closed || (jobs?.isRunning() ?? false),
    async stop() {
      await follow.stop();
      await jobs?.stop();
    },
  };
}

/** The payment sandbox's side: settles slow payments and sends due webhook events. */
async function runSandbox(): Promise<void> {
  await settleDueSandboxIntents();
  await deliverSandboxEvents();
}

/** Calls a function repeatedly, with a pause of `ms` after each call. */
function startTick({ name, ms, run }: Tick) {
  const end = new AbortController();
  const loop = (async () => {
    while (!end.signal.aborted) {
      await run().catch((error: unknown) => log.warn({ err: error, tick: name }, "tick failed"));
      await wait(ms, undefined, { signal: end.signal }).catch(() => {});
    }
  })();
  return {
    async stop() {
      end.abort();
      await loop;
    },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // Output that cannot be written, for example to a full disk, must not end the worker.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  let worker: Worker | undefined;
  const database = await startOrExit(async () => {
    await startTelemetry("worker");
    await rejectDemoDatabase(env().DATABASE_DIRECT_URL, env());
    await startWorkerMetrics(() => worker?.isRunning() ?? false);
    for (const check of [checkVaultKeys, reportJournal]) await waitForDatabase<unknown>(check, { say: warn });
    const monitor = DatabaseMonitor.start((onLost) => connectToDatabase(onLost, env().DATABASE_DIRECT_URL));
    // Connections from before an outage may lead to a server that is gone, or no longer the primary.
    monitor.onUp(() => void closeDatabase());
    worker = await startWorker();
    return monitor;
  });
  log.info({ jobs: allJobs.length }, "worker started");
  // graphile-worker does not await its writes of completed jobs. A failed write must not end the process.
  process.on("unhandledRejection", (error) => log.error({ err: error }, "unhandled rejection"));
  const stop = async () => {
    await worker?.stop();
    database.stop();
    await closeDatabase();
    await stopTelemetry();
    process.exit(0);
  };
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
}
