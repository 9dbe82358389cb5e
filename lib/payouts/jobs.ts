import { z } from "zod";
import { registerMail } from "@/lib/notifications/jobs";
import { accountMail } from "@/lib/payouts/accounts/account-mail";
import { refreshProviderAccount } from "@/lib/payouts/accounts/connect-account";
import { closeLedger } from "@/lib/payouts/closings/close-ledger";
import { FillRun, RefreshProviderAccount, SendRun, SendTransfers } from "@/lib/payouts/contract-jobs";
import { payoutMail } from "@/lib/payouts/runs/payout-mail";
import { fillRun, prepareWeeklyRun } from "@/lib/payouts/runs/prepare-run";
import { sendRun } from "@/lib/payouts/runs/send-run";
import { makeMonthlyStatements } from "@/lib/payouts/statements/make-statement";
import { reconcileTransfers } from "@/lib/payouts/transfers/reconcile-transfers";
import { sendTransfers } from "@/lib/payouts/transfers/send-transfers";
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

export const sendTransfersJob = defineJob({ ...SendTransfers, pool: "orders", run: sendTransfers });
/** Every ten minutes: transfers that were not answered, or waited for money. */
export const retryTransfersJob = defineJob({
  name: "retry-payout-transfers",
  schema: z.unknown(),
  cron: "*/10 * * * *",
  pool: "orders",
  run: sendTransfers,
});
export const refreshProviderAccountJob = defineJob({
  ...RefreshProviderAccount,
  pool: "orders",
  run: ({ accountId, eventId }) => refreshProviderAccount(accountId, eventId),
});
/** Every hour: adds up the older entries of the ledger. */
export const closeLedgerJob = defineJob({
  name: "close-ledger",
  schema: z.unknown(),
  cron: "50 * * * *",
  run: closeLedger,
});
/** Nightly: the payment provider's transfers, payouts to the bank and balance. */
export const reconcileTransfersJob = defineJob({
  name: "reconcile-payout-transfers",
  schema: z.unknown(),
  cron: "40 3 * * *",
  pool: "orders",
  run: async () => void (await reconcileTransfers()),
});
