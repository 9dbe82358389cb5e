import { defineMetrics } from "./database-metrics";

/** Waiting jobs of the queue are counted to this number. */
const COUNTED = 100_000;

type Row = {
  job: string;
  due: number;
  scheduled: number;
  active: number;
  failed: number;
  oldest: number;
};

/** The queue of jobs: each job's name is its own queue here. The queue counts in real time. */
export const JOB_METRICS = defineMetrics<Row>({
  seconds: 15,
  sql: `
    select task_identifier as job,
      count(*) filter (where locked_at is null and attempts < max_attempts and run_at <= now())::int as due,
      count(*) filter (where locked_at is null and attempts < max_attempts and run_at > now())::int as scheduled,
      count(*) filter (where locked_at is not null)::int as active,
      count(*) filter (where locked_at is null and attempts >= max_attempts)::int as failed,
      coalesce(extract(epoch from now() - min(run_at) filter (
        where locked_at is null and attempts < max_attempts and run_at <= now())), 0)::float8 as oldest
    from (select task_identifier, locked_at, attempts, max_attempts, run_at from graphile_worker.jobs limit ${COUNTED}) j
    group by task_identifier`,
  gauges: {
    passlane_jobs: {
      help: "Jobs in the queue by name and state: due, scheduled (also those that wait for a retry), active, failed (no attempt left).",
      labels: ["job", "state"],
    },
    passlane_jobs_oldest_seconds: {
      help: "Age of the oldest job that is due and that no worker has taken, by name.",
      labels: ["job"],
    },
    passlane_jobs_failed: { help: "All jobs without an attempt left." },
    passlane_jobs_oldest_due_seconds: {
      help: "Age of the oldest job that is due and that no worker has taken.",
    },
  },
  toSamples: (rows) => [
    ...rows.flatMap(({ job, oldest, ...counts }) => [
      { name: "passlane_jobs_oldest_seconds", labels: { job }, value: oldest },
      ...(["due", "scheduled", "active", "failed"] as const).map((state) => ({
        name: "passlane_jobs",
        labels: { job, state },
        value: counts[state],
      })),
    ]),
    { name: "passlane_jobs_failed", value: rows.reduce((sum, { failed }) => sum + failed, 0) },
    { name: "passlane_jobs_oldest_due_seconds", value: Math.max(0, ...rows.map(({ oldest }) => oldest)) },
  ],
});
