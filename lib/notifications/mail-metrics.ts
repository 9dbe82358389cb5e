import { defineMetrics } from "@/lib/platform/telemetry/database-metrics";

/** Rows of a state are counted to this number. */
const COUNTED = 10_000;

export const MAIL_METRICS = defineMetrics<{ queued: number; oldest: number; failed: number }>({
  seconds: 15,
  sql: `select q.queued, q.oldest, f.failed
    from (select count(*)::int as queued, coalesce(extract(epoch from shop_now() - min(created_at)), 0)::float8 as oldest
      from (select created_at from mails where state = 'queued' order by created_at limit ${COUNTED}) m) q,
    (select count(*)::int as failed from (select from mails where state = 'failed'
      and created_at > shop_now() - interval '2 days' and failed_at > shop_now() - interval '1 day' limit ${COUNTED}) m) f`,
  gauges: {
    passlane_emails_queued: { help: "Emails that are not sent yet." },
    passlane_emails_queued_oldest_seconds: { help: "Age of the oldest such email." },
    passlane_emails_failed: { help: "Emails that have failed for good within the last day." },
  },
  toSamples: ([row]) => [
    { name: "passlane_emails_queued", value: row?.queued ?? 0 },
    { name: "passlane_emails_queued_oldest_seconds", value: row?.oldest ?? 0 },
    { name: "passlane_emails_failed", value: row?.failed ?? 0 },
  ],
});
