import PQueue from "p-queue";
import { RateLimiterMemory, type RateLimiterRes } from "rate-limiter-flexible";
import { ShopError } from "./errors";
import { ipGroup } from "./http/ip";

/** Renders, searches and images that run concurrently in this process: with one thread, more would only finish later. */
const AT_ONCE = 4;
const WAITING = 64;
/**
 * Points. An address group that has used at most this many in ten seconds is served in the order of arrival, before all busier
 * ones. Beyond `WAITING`, only such groups may wait.
 */
const LITTLE = 20;
const WAITING_AT_MOST = 500;
/**
 * What an address group may request in ten seconds, counted in page renders. nginx limits the rate before
 * (deploy/nginx).
 */
const POINTS = 200;
const SECONDS = 10;

/** The points that a read takes from its address group. */
export const READ_COSTS = {
  page: 1,
  list: 1,
  suggestion: 2,
  search: 2,
  shareImage: 10,
  /** a PDF takes the processor for 0.2 s */
  invoice: 10,
} as const;

const globals = globalThis as typeof globalThis & { passlaneExpensiveWork?: ReturnType<typeof create> };
const create = () => ({
  queue: new PQueue({ concurrency: AT_ONCE }),
  points: new RateLimiterMemory({ points: POINTS, duration: SECONDS }),
});
globals.passlaneExpensiveWork ??= create();
const { queue, points } = globals.passlaneExpensiveWork;

/** @throws ShopError too_many_requests with `retryAfterSeconds`, when the key is over the limit */
export async function consumePoints(limiter: RateLimiterMemory, key: string, cost: number): Promise<void> {
  await limiter.consume(key, cost).catch((refused: RateLimiterRes | Error) => {
    // The limiter on globalThis may be of another bundle, whose RateLimiterRes is another class.
    if (refused instanceof Error) throw refused;
    const retryAfterSeconds = Math.max(1, Math.ceil(refused.msBeforeNext / 1000));
    throw new ShopError("too_many_requests", { params: { retryAfterSeconds } });
  });
}

/** Takes points of an address group. @throws ShopError too_many_requests */
export const takePoints = (ip: string, cost: number): Promise<void> =>
  consumePoints(points, ipGroup(ip), cost);

/**
 * Waits until a client's expensive work may start. Of address groups with more than a few requests in the last ten seconds, the one
 * with the fewest is next. Returns the function that ends the work.
 * @throws ShopError unavailable, when too much waits
 */
export async function startExpensiveWork(ip: string): Promise<() => void> {
  const used = (await points.get(ipGroup(ip)))?.consumedPoints ?? 0;
  if (queue.size >= (used > LITTLE ? WAITING : WAITING_AT_MOST)) throw new ShopError("unavailable");
  return new Promise((resolve) => {
    void queue.add(() => new Promise<void>((release) => resolve(release)), {
      priority: -Math.max(used, LITTLE),
    });
  });
}

/** Runs an expensive work of a client. @throws ShopError unavailable, when too much waits */
export async function runExpensiveWork<T>(ip: string, work: () => Promise<T>): Promise<T> {
  const end = await startExpensiveWork(ip);
  return work().finally(end);
}
