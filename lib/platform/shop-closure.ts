import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { shopClosure } from "@/db/schema/requests";
import { log } from "@/lib/platform/log";

/**
 * A closed shop (docs/operations.md#close-the-shop) refuses writes, shows a notice in place of its pages and runs no jobs.
 * The database says so, hence all instances and workers follow within a second.
 */

const REREAD_MS = 1_000;

// Next bundles this module separately from the server entry. Both share what was read through globalThis.
const globals = globalThis as typeof globalThis & {
  passlaneShop?: { closed: boolean; readAt: number; reading?: Promise<void> };
};

/** What was read last; the shop counts as open before. A database that does not answer changes nothing. */
export const isShopKnownClosed = (): boolean => globals.passlaneShop?.closed ?? false;

/** Whether the shop is closed, as of at most a second ago. */
export async function isShopClosed(): Promise<boolean> {
  globals.passlaneShop ??= { closed: false, readAt: Number.NEGATIVE_INFINITY };
  const shop = globals.passlaneShop;
  if (performance.now() - shop.readAt < REREAD_MS) return shop.closed;
  shop.reading ??= readClosure()
    .then((closed) => {
      shop.closed = closed;
      shop.readAt = performance.now();
    })
    .finally(() => {
      shop.reading = undefined;
    });
  await shop.reading;
  return shop.closed;
}

const readClosure = async (): Promise<boolean> => (await db.$count(shopClosure)) > 0;

/** Keeps `isShopKnownClosed` current for code that cannot wait. Returns a function that ends it. */
export function watchShopClosure(): () => void {
  const read = () =>
    void isShopClosed().catch((error: unknown) => log.debug({ err: error }, "the closure is not known"));
  read();
  const timer = setInterval(read, REREAD_MS).unref();
  return () => clearInterval(timer);
}

/** Closes the shop; a closed one keeps its first reason. `by`: who does, for the list of staff commands. */
export async function closeShop(reason: string, by: string): Promise<void> {
  await db.insert(shopClosure).values({ reason, by }).onConflictDoNothing();
  globals.passlaneShop = undefined;
}

export async function openShop(): Promise<void> {
  await db.execute(sql`delete from ${shopClosure}`);
  globals.passlaneShop = undefined;
}

/** Since when, why and by whom the shop is closed; null when it is open. */
export async function findShopClosure() {
  const [closure] = await db.select().from(shopClosure);
  return closure ? { reason: closure.reason, by: closure.by, since: closure.createdAt } : null;
}
