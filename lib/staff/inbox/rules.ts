import type { QueueName } from "@/lib/staff/today/rules";

/** Things of each queue that the inbox looks at, the most urgent of its order. */
export const INBOX_ROWS = 50;
/** Things that the inbox shows. */
export const INBOX_SHOWN = 100;

/** Within how many hours a thing should be done that has no deadline. */
export const TARGET_HOURS: Readonly<Record<QueueName, number>> = {
  asked: 8,
  refund_requests: 48,
  declarations: 168,
  fraud_warnings: 24,
  failed_refunds: 24,
  replacements: 48,
  messages: 24,
  reports: 72,
  disputes: 120,
  stuck: 1,
  failed_mails: 72,
  applications: 72,
  trade_files: 72,
  stopped_merchants: 72,
  high_discounts: 240,
  changes: 72,
  merchant_names: 120,
  replies: 120,
  approvals: 72,
  sold_out: 96,
};

/** How long a thing can be put off, in hours. */
export const SNOOZE_HOURS = [1, 4, 24, 72, 168] as const;

const HOUR_MS = 3_600_000;
/** A day's delay past the deadline weighs as much again; at most so many times. */
const MOST_OVERDUE = 9;

export type Urgent = { kind: QueueName; dueAt: string | null; since: string; cents: number | null };

/**
 * How urgent a thing is: by the time left × the money × the age. Twice the money, or twice the age, weighs less than half of
 * the time left.
 */
export function urgencyOf({ kind, dueAt, since, cents }: Urgent, now: number): number {
  const due = dueAt ? Date.parse(dueAt) : Date.parse(since) + TARGET_HOURS[kind] * HOUR_MS;
  const hoursLeft = (due - now) / HOUR_MS;
  const time =
    hoursLeft > 0 ? 48 / Math.max(1, hoursLeft) : 48 * (1 + Math.min(MOST_OVERDUE, -hoursLeft / 24));
  const money = 1 + Math.log10(1 + (cents ?? 0) / 100);
  const age = 1 + Math.log2(1 + Math.max(0, now - Date.parse(since)) / (24 * HOUR_MS));
  return time * money * age;
}
