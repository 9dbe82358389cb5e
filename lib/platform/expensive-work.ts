import pLimit from "p-limit";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { ShopError } from "./errors";
import { ipGroup } from "./http/ip";

/** Renders, searches and images that run at once in this process: with one thread, more would only end later. */
const AT_ONCE = 8;
const WAITING = 64;
/** What an address group may ask for in ten seconds, in renders of a page. nginx limits by rate before (deploy/nginx). */
const POINTS = 200;
const SECONDS = 10;

/** The points that a read takes from its address group. */
export const READ_COSTS = {
  list: 1,
  suggestion: 2,
  search: 2,
  shareImage: 10,
  /** a PDF takes the processor for 0.2 s */
  invoice: 10,
} as const;

const globals = globalThis as typeof globalThis & { passlaneExpensiveWork?: ReturnType<typeof create> };
const create = () => ({
  limit: pLimit(AT_ONCE),
  points: new RateLimiterMemory({ points: POINTS, duration: SECONDS }),
});
globals.passlaneExpensiveWork ??= create();
const { limit, points } = globals.passlaneExpensiveWork;

/** @throws ShopError too_many_requests with `retryAfterSeconds`, when the address group has asked for too much */
export async function takePoints(ip: string, cost: number): Promise<void> {
  await points.consume(ipGroup(ip), cost).catch((refused: unknown) => {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    const retryAfterSeconds = Math.max(1, Math.ceil(refused.msBeforeNext / 1000));
    throw new ShopError("too_many_requests", { params: { retryAfterSeconds } });
  });
}

/**
 * Waits until an expensive work may start. Returns the function that ends it.
 * @throws ShopError unavailable, when too much waits
 */
export async function startExpensiveWork(): Promise<() => void> {
  if (limit.pendingCount >= WAITING) throw new ShopError("unavailable");
  return new Promise((resolve) => void limit(() => new Promise<void>((release) => resolve(release))));
}

/** Runs an expensive work. @throws ShopError unavailable, when too much waits */
export async function runExpensiveWork<T>(work: () => Promise<T>): Promise<T> {
  const end = await startExpensiveWork();
  return work().finally(end);
}
