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

/** A chosen currency loads with the page. One that is only presumed loads at the first use of the page. */
function start(): void {
  try {
    const wait = localStorage.getItem(STORAGE_KEY) ? whenLoaded : atFirstUse;
    wait(() => chooseCurrency());
  } catch {
    // Storage may be blocked. Prices are then in US dollars only.
  }
}

/** The first component that shows the currency, the footer at the latest, has it loaded. */
function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) start();
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const getCurrent = () => current;
const useApproximation = () => useSyncExternalStore(subscribe, getCurrent, () => null);

/** The reader's currency; null for US dollars, and until it is loaded. */
export const useCurrency = (): Currency | null => useApproximation()?.currency ?? null;

/** A price in the reader's currency, "≈ ¥1,500"; null for US dollars, free passes, and without a rate. */
export const useApproximate = (cents: number, locale: string): string | null =>
  useApproximation()?.format(cents, locale) ?? null;
