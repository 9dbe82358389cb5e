"use client";

import { useEffect, useSyncExternalStore } from "react";
import { whenLoaded } from "@/components/ui/when-idle";
import {
  type Currency,
  defaultCurrency,
  formatApproximate,
  isCurrency,
} from "@/lib/payments/exchange-rates/rules";

/** The reader's currency and the exchange rates, shared by all components of the page. */
const STORAGE_KEY = "currency";

type Approximation = { currency: Currency; rates: Readonly<Record<string, number>> };

/** Null on the server and until the page has loaded: served pages are the same for all readers. */
let current: Approximation | null = null;
let rates: Promise<Approximation["rates"]> | undefined;
let started = false;
const listeners = new Set<() => void>();

function chosenCurrency(): Currency {
  let stored: string | null = null;
  try {
    stored = localStorage.getItem(STORAGE_KEY);
  } catch {
    // Storage may be blocked. The default applies.
  }
  if (isCurrency(stored)) return stored;
  return defaultCurrency(navigator.language, document.documentElement.lang.slice(0, 2));
}

async function fetchRates(): Promise<Approximation["rates"]> {
  const response = await fetch("/api/v1/payment/rates");
  const { data } = (await response.json()) as { data?: { rates?: Approximation["rates"] } };
  return data?.rates ?? {};
}

async function load(): Promise<void> {
  const currency = chosenCurrency();
  let known: Approximation["rates"] = {};
  if (currency !== "USD") {
    rates ??= fetchRates();
    known = await rates.catch(() => {
      rates = undefined; // a later change of the currency tries again
      return {};
    });
  }
  current = { currency, rates: known };
  for (const listener of listeners) listener();
}

function start(): void {
  if (started) return;
  started = true;
  whenLoaded(() => void load());
  addEventListener("storage", ({ key }) => key === STORAGE_KEY && void load()); // chosen in another tab
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function useApproximation(): Approximation | null {
  useEffect(start, []);
  return useSyncExternalStore(
    subscribe,
    () => current,
    () => null,
  );
}

/** The reader's currency; null until the page has loaded. */
export const useCurrency = (): Currency | null => useApproximation()?.currency ?? null;

/** Stores the reader's choice and shows prices in it. */
export function chooseCurrency(currency: Currency): void {
  try {
    localStorage.setItem(STORAGE_KEY, currency);
  } catch {
    // Storage may be blocked. The choice then lasts for this page.
  }
  void load();
}

/** A price in the reader's currency, "≈ ¥1,500"; null for US dollars, free passes, and without a rate. */
export function useApproximate(cents: number, locale: string): string | null {
  const approximation = useApproximation();
  if (approximation === null || cents <= 0) return null;
  const rate = approximation.rates[approximation.currency];
  return rate === undefined ? null : formatApproximate(cents, approximation.currency, rate, locale);
}
