/** Work is stuck when it waits for longer than this; the sweeper and the queue handle it sooner. */
export const STUCK_AFTER_MINUTES = 5;
/** Failed emails stay on the board for this long; older ones are in the list of emails only. */
export const FAILED_MAIL_DAYS = 7;
/** The comparison with the provider runs once a day. */
export const RECONCILED_WITHIN_HOURS = 26;
/** Rows of each kind on the board. */
export const STUCK_ROWS = 50;

/** What can be stuck, in the order of the board. */
export const STUCK_KINDS = [
  "worker",
  "payment_event",
  "order",
  "stock",
  "overdue",
  "hold",
  "refund",
  "mail_queued",
  "mail_failed",
  "job",
  "reconciliation",
  "audit_seals",
  "custody_seals",
] as const;
export type StuckKind = (typeof STUCK_KINDS)[number];

/** The kinds that the Today page counts as stuck; failed emails have a queue of their own there. */
export const COUNTED_KINDS = STUCK_KINDS.filter((kind) => kind !== "mail_failed");

/** The kinds that run again at a press. A worker is started by an operator; a failed email is sent again. */
export const RETRIED_KINDS = STUCK_KINDS.filter((kind) => kind !== "worker" && kind !== "mail_failed");
export type RetriedKind = (typeof RETRIED_KINDS)[number];

/**
 * Why it is stuck. `queued`: its job waits for a worker. `running`: a worker has it. `failing`: its job is tried again.
 * `given_up`: its job has no attempts left. `no_job`: it has none.
 */
export const STUCK_REASONS = [
  "queued",
  "running",
  "failing",
  "given_up",
  "no_job",
  "failed",
  "payment_open",
  "not_released",
  "not_refunded",
  "stock_unassigned",
  "differs",
  "not_compared",
  "unsealed",
  "no_worker",
  "shop_closed",
] as const;
export type StuckReason = (typeof STUCK_REASONS)[number];

/**
 * `queued`: its job waits for the worker now. `waiting`: it did so before. `done`: finished by the call. `open`: a
 * payment can still succeed. `gone`: it is no longer stuck.
 */
export const RETRY_OUTCOMES = ["queued", "waiting", "done", "open", "gone"] as const;
