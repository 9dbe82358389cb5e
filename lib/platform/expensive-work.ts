import PQueue from "p-queue";
import { RateLimiterMemory, type RateLimiterRes } from "rate-limiter-flexible";
import { ShopError } from "./errors";
import { ipGroup } from "./http/ip";

/** Renders, searches and images that run concurrently in this process: with one thread, more would only finish later. */
const AT_ONCE = 2;
const WAITING = 500;
/**
 * An address group that has used more than these points in ten seconds is busy. The work of all busy groups runs one at a time, so that
 * everybody else shares the thread with one of them.
 */
const LITTLE = 5;
const WAITING_OF_BUSY = 64;
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
  busyQueue: new PQueue({ concurrency: 1 }),
  points: new RateLimiterMemory({ points: POINTS, duration: SECONDS }),
});
globals.passlaneExpensiveWork ??= create();
const { queue, busyQueue, points } = globals.passlaneExpensiveWork;

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
 * Waits until a client's expensive work may start: in the order of arrival, of busy address groups the one with the fewest requests.
 * Returns the function that ends the work.
 * @throws ShopError unavailable, when too much waits
 */
export async function startExpensiveWork(ip: string): Promise<() => void> {
  const used = (await points.get(ipGroup(ip)))?.consumedPoints ?? 0;
  const isBusy = used > LITTLE;
  const line = isBusy ? busyQueue : queue;
  if (line.size >= (isBusy ? WAITING_OF_BUSY : WAITING)) throw new ShopError("unavailable");
  return new Promise((resolve) => {
    void line.add(() => new Promise<void>((release) => resolve(release)), { priority: isBusy ? -used : 0 });
  });
}

/** Runs an expensive work of a client. @throws ShopError unavailable, when too much waits */
export async function runExpensiveWork<T>(ip: string, work: () => Promise<T>): Promise<T> {
  const end = await startExpensiveWork(ip);
  return work().finally(end);
}
