import { sql } from "drizzle-orm";
import { type Db, db, type Tx, transaction } from "@/db/client";
import { SealAllCustody } from "@/lib/delivery/contract-jobs";
import { enqueueMail } from "@/lib/notifications/queue-mail";
import { expireOrder } from "@/lib/orders/cancellation/close-unpaid-order";
import { ReconcileWithProvider, SendRefund } from "@/lib/orders/contract-jobs";
import { enqueueAssign, enqueueAssignWaiting } from "@/lib/orders/fulfilment/enqueue-assign";
import { requeueWebhookEvent } from "@/lib/orders/payment/receive-webhook";
import { refundOverdueLines } from "@/lib/orders/refunds/refund-overdue-lines";
import { isPayable } from "@/lib/orders/rules";
import { audit } from "@/lib/platform/audit";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { retryJobs } from "@/lib/platform/jobs/overview";
import { enqueue } from "@/lib/platform/jobs/queue";
import { SealAllAudit } from "@/lib/staff/contract-jobs";
import { effectsWith } from "@/lib/staff/preview/effects";
import type { QueueRetried, RetryInput, StuckItem, StuckRetried } from "@/lib/staff/stuck/contract";
import type { RetriedKind } from "@/lib/staff/stuck/rules";
import { findStuckItem } from "./list-stuck";

type Outcome = StuckRetried["outcome"];
type QueuedKind = Exclude<RetriedKind, "hold" | "overdue">;

/** Queues the job of a recurring work now; the key is the one of its schedule, so that it waits once. */
const runNow = (tx: Tx, job: { name: string; schema: typeof SealAllAudit.schema }) =>
  enqueue(tx, job, {}, { jobKey: job.name });

/** The job runs now, with all its attempts. One that a worker has is left alone. */
const rescheduleJob = (tx: Tx, id: string) =>
  tx.execute(
    sql`select id from graphile_worker.reschedule_jobs(array[${id}::bigint], run_at => now(), attempts => 0)`,
  );

/** What is put into the queue again, by the functions that queue it otherwise. */
const QUEUES: Record<
  QueuedKind,
  { key: (id: string) => string | null; queue: (tx: Tx, id: string) => Promise<unknown> }
> = {
  payment_event: { key: (id) => id, queue: requeueWebhookEvent },
  order: { key: (id) => `assign:${id}`, queue: enqueueAssign },
  stock: { key: (id) => `waiting:${id}`, queue: (tx, id) => enqueueAssignWaiting(tx, [Number(id)]) },
  refund: { key: (id) => id, queue: (tx, id) => enqueue(tx, SendRefund, { refundId: id }, { jobKey: id }) },
  mail_queued: { key: (id) => id, queue: enqueueMail },
  job: { key: () => null, queue: rescheduleJob },
  reconciliation: { key: () => ReconcileWithProvider.name, queue: (tx) => runNow(tx, ReconcileWithProvider) },
  audit_seals: { key: () => SealAllAudit.name, queue: (tx) => runNow(tx, SealAllAudit) },
  custody_seals: { key: () => SealAllCustody.name, queue: (tx) => runNow(tx, SealAllCustody) },
};

/** Whether a fresh job with this key waits for a worker, or a worker has it. */
async function isQueued(tx: Db, key: string | null): Promise<boolean> {
  if (key === null) return false;
  const [job] = await tx.execute(sql`
    select 1 from graphile_worker.jobs j where j.key = ${key}
      and (j.locked_at is not null or j.attempts = 0 and j.last_error is null and j.run_at <= clock_timestamp())`);
  return job !== undefined;
}

/**
 * Retries exactly one stuck item, with the function that normally runs it. A second press finds it waiting or gone and
 * changes nothing.
 * @throws ShopError provider_unavailable
 */
export async function retryStuck(viewer: StaffViewer, { kind, id }: RetryInput): Promise<StuckRetried> {
  const outcome =
    kind === "hold" || kind === "overdue"
      ? await runDirectly(viewer, kind, id)
      : await transaction((tx) => queueAgain(tx, viewer, kind, id));
  return { outcome };
}

async function queueAgain(tx: Tx, viewer: StaffViewer, kind: QueuedKind, id: string): Promise<Outcome> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`stuck ${kind} ${id}`}, 0))`);
  const item = await findStuckItem(tx, kind, id, viewer.locale);
  if (!item) return "gone";
  const { key, queue } = QUEUES[kind];
  if (await isQueued(tx, key(id))) return "waiting";
  await queue(tx, id);
  await recordRetry(tx, viewer, item, "queued");
  return "queued";
}

/** What has no job of its own: the functions lock the order, and do nothing when it has changed. */
async function runDirectly(viewer: StaffViewer, kind: "hold" | "overdue", id: string): Promise<Outcome> {
  const item = await findStuckItem(db, kind, id, viewer.locale);
  if (!item) return "gone";
  if (kind === "overdue") await refundOverdueLines(id);
  const outcome = kind === "hold" && isPayable(await expireOrder(id)) ? "open" : "done";
  await recordRetry(db, viewer, item, outcome);
  return outcome;
}

async function recordRetry(tx: Db, viewer: StaffViewer, item: StuckItem, outcome: Outcome): Promise<void> {
  const { kind, id, order_number } = item;
  const detail = { kind, outcome, ...(order_number && { order_number }) };
  await audit({ actor: viewer.userId, action: "stuck.retried", subject: id, detail }, tx);
}

/** What running a stuck thing again would do: what its job would do follows only for jobs of keys and money, and for emails. */
export const retryEffects = effectsWith(({ outcome }: StuckRetried) => [{ kind: "retry", outcome }]);

/** Runs all failed jobs of a queue again. They may be many. */
export async function retryQueue({ userId }: StaffViewer, queue: string): Promise<QueueRetried> {
  const retried = await retryJobs({ queue }, userId);
  return { queue, retried: retried.length };
}
