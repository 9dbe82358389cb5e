import { client } from "@/db/client";

/**
 * The time of the next change that no write causes: a deal ends, a plan is released, a code is too close to its last day to redeem to be sold, an
 * announcement begins or ends, a day begins. On
 * the clock of `performance.now()`.
 */
export async function findNextChange(): Promise<number | undefined> {
  const queriedAt = performance.now();
  // The clock is read once, so that Postgres reads one index entry of each large table.
  const [row] = await client()<{ ms: number | null }[]>`
    with clock as materialized (select shop_now() as now)
    select extract(epoch from min(at) - (select now from clock))::float * 1000 as ms from (
      select min(ends_at) as at from deals where ended_at is null and ends_at > (select now from clock)
      union all select min(releases_at) from plans where releases_at > (select now from clock)
      union all select min(sell_by) from keys where state = 'available' and sell_by > (select now from clock)
      union all select min(starts_at) from campaigns where starts_at > (select now from clock)
      union all select min(ends_at) from campaigns where ends_at > (select now from clock)
      union all select min(starts_at) from announcements where starts_at > (select now from clock)
      union all select min(ends_at) from announcements where ends_at > (select now from clock)
      union all select date_trunc('day', now + interval '1 day', 'UTC') from clock) times`;
  return row === undefined || row.ms === null ? undefined : queriedAt + row.ms;
}
