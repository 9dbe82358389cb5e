import { z } from "zod";
import { registerMail } from "@/lib/notifications/jobs";
import { accountMail } from "@/lib/payouts/accounts/account-mail";
import { FillRun, SendRun } from "@/lib/payouts/contract-jobs";
import { payoutMail } from "@/lib/payouts/runs/payout-mail";
import { fillRun, prepareWeeklyRun } from "@/lib/payouts/runs/prepare-run";
import { sendRun } from "@/lib/payouts/runs/send-run";
import { makeMonthlyStatements } from "@/lib/payouts/statements/make-statement";
import { defineJob } from "@/lib/platform/jobs/queue";

registerMail("payout-account", {
  load: ({ accountId, what }) => accountMail(String(accountId), String(what)),
});
registerMail("payout-notice", {
  load: ({ payoutId, outcome }) => payoutMail(String(payoutId), String(outcome)),
});

export const fillRunJob = defineJob({ ...FillRun, pool: "orders", run: ({ runId }) => fillRun(runId) });

export const sendRunJob = defineJob({ ...SendRun, pool: "orders", run: ({ runId }) => sendRun(runId) });

/** Every morning: the run for the merchants that chose this day of the week (WEEKLY_RUN_HOUR). */
export const prepareWeeklyRunJob = defineJob({
  name: "prepare-weekly-run",
  schema: z.unknown(),
  cron: "0 6 * * *",
  pool: "orders",
  run: prepareWeeklyRun,
});

/** On the first of each month: the statements of the one before. */
export const makeStatementsJob = defineJob({
  name: "make-monthly-statements",
  schema: z.unknown(),
  cron: "20 1 1 * *",
  pool: "orders",
  run: makeMonthlyStatements,
});
