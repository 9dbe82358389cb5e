import type { DatabaseMonitor } from "@/db/monitor";
import type { PageCache } from "./page-cache/page-cache";

/** The state of a serving process. Next bundles modules several times; the copies share this through globalThis. */
type ProcessState = {
  database?: DatabaseMonitor;
  pages?: PageCache;
  /** Whether the shop is closed, by the last read (shop-closure.ts). */
  shop?: { closed: boolean; readAt: number; reading?: Promise<void> };
  /** No longer ready, and about to end. */
  draining?: boolean;
};

const globals = globalThis as typeof globalThis & { passlaneProcess?: ProcessState };
globals.passlaneProcess ??= {};
export const processState = globals.passlaneProcess;

/** Whether the shop is closed, by the last read; open before the first one. */
export const isShopKnownClosed = (): boolean => processState.shop?.closed ?? false;

/** False in jobs, scripts and tests, which do not watch their database. */
export const isDatabaseDown = (): boolean => processState.database?.isDown() ?? false;
