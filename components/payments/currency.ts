"use client";

import { useEffect, useSyncExternalStore } from "react";
import { whenLoaded } from "@/components/ui/when-idle";
import { type Currency, isCurrency } from "@/lib/payments/exchange-rates/rules";

/** The reader's currency and the exchange rates, shared by all components of the page. */
const STORAGE_KEY = "currency";

type Rates = Readonly<Record<string, number>>;
type Approximation = { currency: Currency; format: (cents: number, locale: string) => string | null };

/** Null on the server and until the page has loaded: served pages are the same for all readers. */
let current: Approximation | null = null;
let rates: Promise<Rates> | undefined;
let started = false;
const listeners = new Set<() => void>();

const loadFormats = () => import("@/lib/payments/exchange-rates/rules-format");

function storedCurrency(): Currency | undefined {
  let stored: string | null = null;
  try {
    stored = localStorage.getItem(STORAGE_KEY);
  } catch {
    // Storage may be blocked. The default applies.
  }
  return isCurrency(stored) ? stored : undefined;
}

async function fetchRates(): Promise<Rates> {
  const response = await fetch("/api/v1/payment/rates");
  const { data } = (await response.json()) as { data?: { rates?: Rates } };
  return data?.rates ?? {};
}

async function load(): Promise<void> {
  const { defaultCurrency, formatApproximate } = await loadFormats();
  const pageLanguage = document.documentElement.lang.slice(0, 2);
  const currency = storedCurrency() ?? defaultCurrency(navigator.language, pageLanguage);
  if (currency !== "USD") rates ??= fetchRates();
  const known = await rates?.catch((): Rates => {
    rates = undefined; // a later change of the currency tries again
    return {};
  });
  const rate = known?.[currency];
  const format = (cents: number, locale: string) =>
    rate === undefined || cents <= 0 ? null : formatApproximate(cents, currency, rate, locale);
  current = { currency, format };
  for (const listener of listeners) listener();
}

/** Without the formats, as while offline, no approximate price is shown. */
const tryLoad = () => void load().catch(() => {});

function start(): void {
  if (started) return;
  started = true;
  whenLoaded(tryLoad);
  addEventListener("storage", ({ key }) => key === STORAGE_KEY && tryLoad()); // chosen in another tab
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
  tryLoad();
}

/** A price in the reader's currency, "≈ ¥1,500"; null for US dollars, free passes, and without a rate. */
export const useApproximate = (cents: number, locale: string): string | null =>
  useApproximation()?.format(cents, locale) ?? null;
