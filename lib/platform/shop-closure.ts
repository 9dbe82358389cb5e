import { db, transaction } from "@/db/client";
import { shopClosure } from "@/db/schema/requests";
import { audit } from "@/lib/platform/audit";
import { currentDryRun } from "@/lib/platform/dry-run-scope";
import { log } from "@/lib/platform/log";
import { processState } from "@/lib/platform/process-state";

/**
 * A closed shop (docs/operations.md#close-the-shop) refuses writes, shows a notice in place of its pages and runs no jobs.
 * The database says so, hence all instances and workers follow within a second.
 */

const REREAD_MS = 1_000;

/** Whether the shop is closed, as of at most a second ago. */
export async function isShopClosed(): Promise<boolean> {
  processState.shop ??= { closed: false, readAt: Number.NEGATIVE_INFINITY };
  const shop = processState.shop;
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
    void isShopClosed().catch((error: unknown) =>
      log.debug({ err: error }, "the shop's closure could not be read"),
    );
  read();
  const timer = setInterval(read, REREAD_MS).unref();
  return () => clearInterval(timer);
}

/** Applies a committed change immediately in this process. A preview is rolled back and changes nothing. */
function setKnownClosed(closed: boolean): void {
  if (!currentDryRun()) processState.shop = { closed, readAt: performance.now() };
}

/** Closes the shop. False when it was closed before: it keeps its first reason. `by`: a user's id, or `staff:` and a name. */
export async function closeShop(reason: string, by: string): Promise<boolean> {
  const closed = await transaction(async (tx) => {
    const rows = await tx.insert(shopClosure).values({ reason, by }).onConflictDoNothing().returning();
    if (rows.length > 0)
      await audit({ actor: by, action: "shop_closed", subject: "shop", detail: { reason } }, tx);
    return rows.length > 0;
  });
  setKnownClosed(true);
  return closed;
}

/** Opens the shop. False when it was open before. */
export async function openShop(by: string): Promise<boolean> {
  const opened = await transaction(async (tx) => {
    const rows = await tx.delete(shopClosure).returning();
    if (rows.length > 0) await audit({ actor: by, action: "shop_opened", subject: "shop" }, tx);
    return rows.length > 0;
  });
  setKnownClosed(false);
  return opened;
}

/** Since when, why and by whom the shop is closed; null when it is open. */
export async function findShopClosure() {
  const [closure] = await db.select().from(shopClosure);
  return closure ? { reason: closure.reason, by: closure.by, since: closure.createdAt } : null;
}
