import { eq, lt, or, sql } from "drizzle-orm";
import { type Db, db, statements } from "@/db/client";
import { deleteInBatches } from "@/db/retention";
import { rateLimits } from "@/db/schema/requests";
import { hmac } from "@/lib/platform/crypto/hmac";
import { ipGroup } from "@/lib/platform/http/ip";
import { instant } from "@/lib/platform/instant";
import { isDatabaseFailure } from "./database-failure";
import { ShopError } from "./errors";
import { log } from "./log";

/**
 * At most `limit` in each window of `seconds`, per address group (lib/platform/http/ip.ts) or account. Calls that name
 * the same `counter` share it; by default each call has its own.
 */
export type RateLimit = { limit: number; seconds: number; by: "ip" | "user"; counter?: string };

/** A counter: `name` is what is counted, `who` for whom (stored as an HMAC). */
export type Counter = { name: string; who: string; limit: number; seconds: number };

/** A counter per address group: spellings of one address, and the addresses of one IPv6 /64, share it. */
export const ipCounter = (name: string, ip: string, limit: number, seconds: number): Counter => ({
  name: `${name}:ip`,
  who: ipGroup(ip),
  limit,
  seconds,
});

/** Who is limited: the account and the client's address, as far as they are known. */
export type Client = { userId?: string; ip?: string };

/** The counters of limits for a client. `name` is what is counted, unless a limit names a shared counter. */
export const toCounters = (limits: readonly RateLimit[], name: string, { userId, ip }: Client): Counter[] =>
  limits.flatMap(({ limit, seconds, by, counter = name }) => {
    if (by === "ip") return ip === undefined ? [] : [ipCounter(counter, ip, limit, seconds)];
    return userId === undefined ? [] : [{ name: `${counter}:user`, who: userId, limit, seconds }];
  });

const toBucket = (counter: Counter) => `${counter.name}:${counter.seconds}:${hmac("limit", counter.who)}`;

/**
 * Counts one hit on each counter in one statement, returns the use of the fullest one, and throws `error` (default `too_many_requests`) with
 * `retryAfterSeconds` when one exceeds its limit. When the database fails, all requests are rejected as `unavailable`.
 * When only the counters cannot be written, `failClosed` limits reject (sign-in, codes) and others pass. `within` a
 * transaction, a rollback undoes the hit, and a failure is thrown.
 */
export async function takeRateLimit(
  counters: Counter[],
  {
    failClosed: closed = false,
    error = "too_many_requests",
    within,
  }: {
    failClosed?: boolean;
    error?: "too_many_requests" | "too_many_tries" | "too_many_codes";
    within?: Db;
  } = {},
): Promise<LimitUse | null> {
  if (counters.length === 0) return null;
  const uses = await hit(counters, within ?? db).catch((cause: unknown) => {
    if (within) throw cause;
    if (closed || isDatabaseFailure(cause)) throw new ShopError("unavailable", { cause });
    log.warn({ err: cause }, "rate limit: not counted");
    return [];
  });
  const exceeded = uses.filter(({ left }) => left < 0);
  if (exceeded.length > 0) {
    const retryAfterSeconds = Math.max(...exceeded.map(({ seconds }) => Math.max(1, seconds)));
    throw new ShopError(error, { params: { retryAfterSeconds } });
  }
  return uses.toSorted((one, other) => one.left - other.left)[0] ?? null;
}

/** What is left of a limit in its window, which ends after these seconds. */
export type LimitUse = { limit: number; left: number; seconds: number };

/** The use of each counter after the hit; `left` is negative where it exceeds its limit. Sorted buckets prevent deadlocks. */
async function hit(counters: Counter[], connection: Db): Promise<LimitUse[]> {
  const sorted = counters
    .map((c) => ({ ...c, bucket: toBucket(c) }))
    .sort((a, b) => (a.bucket < b.bucket ? -1 : 1));
  const buckets = sorted.map((c) => c.bucket);
  const rows = await statements(connection)<{ bucket: string; hits: number; wait: number }[]>`
    insert into rate_limits (bucket, hits, ends_at)
    select bucket, 1, shop_now() + make_interval(secs => seconds)
    from unnest(${buckets}::text[], ${sorted.map((c) => c.seconds)}::int[]) as t(bucket, seconds)
    on conflict (bucket) do update set
      hits = case when rate_limits.ends_at <= shop_now() then 1 else rate_limits.hits + 1 end,
      ends_at = case when rate_limits.ends_at <= shop_now() then excluded.ends_at else rate_limits.ends_at end
    returning bucket, hits, ceil(extract(epoch from ends_at - shop_now()))::int as wait`;
  const limits = new Map(sorted.map((c) => [c.bucket, c.limit]));
  return rows.map(({ bucket, hits, wait }) => {
    const limit = limits.get(bucket) ?? 0;
    return { limit, left: limit - hits, seconds: wait };
  });
}

/** Counters whose names begin alike, such as the failed logins of an account from each network: `login:network:<account>`. */
export type CounterFamily = { name: string; limit: number };

const inFamily = ({ name }: CounterFamily) => sql`(bucket >= ${`${name}:`} and bucket < ${`${name};`})`; // `;` follows `:` in the order of bytes

/** Until when a counter of these families refuses the next try; null: none does. */
export async function findLockedUntil(
  families: readonly CounterFamily[],
  within: Db = db,
): Promise<string | null> {
  const full = families.map((family) => sql`${inFamily(family)} and hits >= ${family.limit}`);
  const [row] = await within.execute<{ until: string | null }>(sql`
    select max(ends_at) as until from rate_limits where ends_at > shop_now() and (${sql.join(full, sql` or `)})`);
  return row?.until ? instant(row.until) : null;
}

/** Clears all counters of these families. */
export async function clearRateLimits(families: readonly CounterFamily[], within: Db = db): Promise<void> {
  await within.delete(rateLimits).where(or(...families.map(inFamily)));
}

/** Clears a counter, as after a successful login. */
export async function clearRateLimit(counter: Counter): Promise<void> {
  await db.delete(rateLimits).where(eq(rateLimits.bucket, toBucket(counter)));
}

/** Deletes counters whose window has ended. */
export async function deleteExpiredCounters(): Promise<void> {
  const isOver = lt(rateLimits.endsAt, sql`shop_now() - interval '1 minute'`);
  await deleteInBatches(rateLimits, isOver, sql`ends_at`);
}
