import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { closeDatabase } from "@/db/client";
import { forgetCustomerJob, forgetOldJob } from "@/lib/accounts/jobs";
import { measureSearchJob } from "@/lib/catalog/search/jobs";
import { lapseCouponsJob } from "@/lib/coupons/jobs";
import { remindPassesJob, sealAllCustodyJob, sealCustodyJob } from "@/lib/delivery/jobs";
import { env } from "@/lib/platform/env";
import type { Job } from "@/lib/platform/jobs/queue";
import { runJobs, type Worker } from "@/lib/platform/jobs/worker";
import { log } from "@/lib/platform/log";
import "@/lib/merchants/jobs";
import {
  announceDealsJob,
  sendDiscountAlertJob,
  sendMailJob,
  sweepMailsJob,
  tellWaitListJob,
} from "@/lib/notifications/jobs";
import {
  assignKeysJob,
  assignWaitingJob,
  compareJob,
  sendRefundJob,
  settleDisputeJob,
  settlePaymentJob,
  sweepJob,
} from "@/lib/orders/jobs";
import { deliverSandboxEvents } from "@/lib/platform/stripe/sandbox/delivery";
import { settleDueSandboxIntents } from "@/lib/platform/stripe/sandbox/sandbox";
import { decideReferralsJob } from "@/lib/referrals/jobs";
import { forgetVisitsJob } from "@/lib/tracking/jobs";

/** Every background task of the shop; a law compares the list with the job files. */
export const allJobs: Job[] = [
  measureSearchJob,
  sendMailJob,
  sweepMailsJob,
  settlePaymentJob,
  settleDisputeJob,
  compareJob,
  assignKeysJob,
  assignWaitingJob,
  sendRefundJob,
  sweepJob,
  forgetOldJob,
  forgetCustomerJob,
  tellWaitListJob,
  announceDealsJob,
  sendDiscountAlertJob,
  forgetVisitsJob,
  lapseCouponsJob,
  decideReferralsJob,
  sealCustodyJob,
  sealAllCustodyJob,
  remindPassesJob,
] as Job[];

const SANDBOX_TICK_MS = 2_000;

/** Runs the background tasks in this process: inside the server by default, or alone as `npm run worker`. */
export async function startWorker(): Promise<Worker> {
  const jobs = await runJobs(allJobs);
  const sandbox = env().PAYMENT_MODE === "sandbox" ? startSandboxTick() : null;
  return {
    isRunning: jobs.isRunning,
    async stop() {
      await Promise.all([jobs.stop(), sandbox?.stop()]);
    },
  };
}

/** The far end of the payments, played by ourselves: finishes slow payments and sends what notices are due. */
function startSandboxTick() {
  const end = new AbortController();
  const ticking = (async () => {
    while (!end.signal.aborted) {
      await settleDueSandboxIntents()
        .then(deliverSandboxEvents)
        .catch((error: unknown) => log.warn({ err: error }, "sandbox tick failed"));
      await wait(SANDBOX_TICK_MS, undefined, { signal: end.signal }).catch(() => {});
    }
  })();
  return {
    async stop() {
      end.abort();
      await ticking;
    },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const worker = await startWorker();
  log.info({ jobs: allJobs.length }, "working");
  // graphile-worker does not await its own writes of ended jobs: a lost one must not end the process.
  process.on("unhandledRejection", (error) => log.error({ err: error }, "unhandled rejection"));
  const stop = async () => {
    await worker.stop();
    await closeDatabase();
    process.exit(0);
  };
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
}
