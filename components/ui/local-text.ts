"use client";

import { useSyncExternalStore } from "react";
import { useSurface } from "@/components/ui/surface";
import { whenIdle } from "@/components/ui/when-idle";
import type { localizeTimes, Time } from "@/lib/platform/format";
import { TIME_ZONE } from "@/lib/platform/i18n/locales";
import { browserTimeZone } from "@/lib/platform/time-zone";

/** The reader's zone, and the function that writes times in it. */
type Reader = { timeZone: string; localizeTimes: typeof localizeTimes };

let reader: Reader | null = null;
let isRead = false;
const listeners = new Set<() => void>();

/**
 * The first subscriber reads the zone once the browser is idle, because the first Intl format takes 40 ms. The formats are
 * loaded then too, so that public pages do not carry them.
 */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (!isRead) {
    isRead = true;
    whenIdle(() => void readZone().catch(() => {})); // without the formats, times stay in UTC
  }
  return () => listeners.delete(listener);
}

async function readZone(): Promise<void> {
  const timeZone = browserTimeZone();
  if (timeZone === TIME_ZONE) return;
  const { localizeTimes } = await import("@/lib/platform/format");
  reader = { timeZone, localizeTimes };
  for (const notify of listeners) notify();
}

/** Null on the server and until the reader's zone is known, or when it is UTC. */
export const useReader = (): Reader | null =>
  useSyncExternalStore(
    subscribe,
    () => reader,
    () => null,
  );

/** A text with times that were formatted in UTC, `of` the times that it names, in the reader's zone. */
export function useLocalText(text: string, of: readonly (Time | null)[]): string {
  const known = useReader();
  const { locale } = useSurface();
  return known ? known.localizeTimes(text, of, locale, known.timeZone) : text;
}
