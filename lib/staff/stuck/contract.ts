import { z } from "zod";
import { Instant } from "@/lib/platform/api/fields";
import { RETRIED_KINDS, RETRY_OUTCOMES, STUCK_KINDS, STUCK_REASONS } from "@/lib/staff/stuck/rules";

/** GET /admin/stuck */
export const StuckInput = z.object({ kind: z.enum(STUCK_KINDS).optional() });
export type StuckInput = z.output<typeof StuckInput>;

export const StuckItem = z.object({
  kind: z.enum(STUCK_KINDS),
  /** of an order, an email, a plan, a job …; with the kind it names the row */
  id: z.string(),
  since: Instant,
  why: z.enum(STUCK_REASONS),
  /** the last error, or what differs */
  error: z.string().nullable(),
  attempts: z.int().nullable(),
  /** when its job runs next; null: immediately, or not again */
  next_at: Instant.nullable(),
  order_number: z.string().nullable(),
  /** the email's event and recipient, the job's name, the provider's id, the pass */
  about: z.string().nullable(),
  mail_event: z.string().nullable(),
});
export type StuckItem = z.output<typeof StuckItem>;

export const StuckBoard = z.object({
  /** at most 50 of each kind, the oldest first */
  items: z.array(StuckItem),
  /** the kinds of which there are more */
  more: z.array(z.enum(STUCK_KINDS)),
  checked_at: Instant,
});
export type StuckBoard = z.output<typeof StuckBoard>;

/** POST /admin/stuck/retry */
export const RetryInput = z.object({
  kind: z.enum(RETRIED_KINDS),
  id: z.string().trim().min(1).max(255),
});
export type RetryInput = z.output<typeof RetryInput>;

export const StuckRetried = z.object({ outcome: z.enum(RETRY_OUTCOMES) });
export type StuckRetried = z.output<typeof StuckRetried>;

/** GET /admin/stuck/queues */
export const JobQueueItem = z.object({
  /** the name of its jobs */
  queue: z.string(),
  /** due, and not taken by a worker */
  waiting: z.int(),
  /** due later, also those that wait for their next attempt */
  later: z.int(),
  active: z.int(),
  /** without an attempt left */
  failed: z.int(),
  /** since when the oldest waiting or failed one is due */
  oldest_at: Instant.nullable(),
});
export type JobQueueItem = z.output<typeof JobQueueItem>;
export const JobQueueList = z.object({ items: z.array(JobQueueItem), total: z.int() });
export type JobQueueList = z.output<typeof JobQueueList>;

/** POST /admin/stuck/queues/retry */
export const RetryQueueInput = z.object({
  queue: z.string().trim().min(1).max(128).meta({ example: "send-refund" }),
});
export const QueueRetried = z.object({ queue: z.string(), retried: z.int() });
export type QueueRetried = z.output<typeof QueueRetried>;
