"use client";

import { useSyncExternalStore } from "react";
import { atFirstUse, whenLoaded } from "@/components/ui/when-idle";
import type { Currency } from "@/lib/payments/exchange-rates/rules";

/** The reader's currency and the exchange rates, shared by all components of the page. */
const STORAGE_KEY = "currency";

export type Approximation = { currency: Currency; format: (cents: number, locale: string) => string | null };

/** Null for US dollars, on the server, and until it is loaded: served pages are the same for all readers. */
let current: Approximation | null = null;
const listeners = new Set<() => void>();

/** Most readers of English pages pay in their own currency: for them nothing is loaded. */
const paysInDollars = () =>
  document.documentElement.lang === "en" && /^en(-US)?$/.test(navigator.language) ? "USD" : null;

async function load(chosen?: string): Promise<void> {
  if (chosen) localStorage.setItem(STORAGE_KEY, chosen);
  const known = localStorage.getItem(STORAGE_KEY) ?? paysInDollars();
  current = known === "USD" ? null : await (await import("./approximate")).approximate(known);
  for (const listener of listeners) listener();
}

/** Stores the reader's choice, if any, and shows prices in it. While offline, or without storage, there are none. */
export const chooseCurrency = (chosen?: string): void => void load(chosen).catch(() => {});

let isLoaded = false;

/** Loads the currency once for all components. A failure, such as blocked storage, is retried by the next component. */
function loadOnce(): void {
  if (isLoaded) return;
  isLoaded = true;
  load().catch(() => {
    isLoaded = false;
  });
}

/** A choice is shown as soon as the loaded page is idle, a presumed currency at the first use of the page. */
function wait(run: () => void): void {
  try {
    (localStorage.getItem(STORAGE_KEY) ? whenLoaded : atFirstUse)(run);
  } catch {
    // Storage may be blocked. Prices are in US dollars then.
  }
}

function subscribe(listener: () => void): () => void {
  if (!isLoaded) wait(loadOnce);
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const getCurrent = () => current;
const getNone = () => null;

/** The reader's currency; null for US dollars, and until it is loaded. */
export const useCurrency = (): Currency | null =>
  useSyncExternalStore(subscribe, getCurrent, getNone)?.currency ?? null;

/** A price in the reader's currency, "≈ ¥1,500"; null for US dollars, free passes, without a rate, and until it is loaded. */
export const useApproximate = (cents: number, locale: string): string | null =>
  useSyncExternalStore(subscribe, getCurrent, getNone)?.format(cents, locale) ?? null;
