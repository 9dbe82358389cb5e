"use client";

import { useSyncExternalStore } from "react";
import { useSurface } from "@/components/ui/surface";
import { whenIdle } from "@/components/ui/when-idle";
import { formatDate, formatMoment, localizeTimes, type Time } from "@/lib/platform/format";
import { TIME_ZONE } from "@/lib/platform/i18n/locales";
import { browserTimeZone } from "@/lib/platform/time-zone";

let timeZone = TIME_ZONE;
let isRead = false;
const listeners = new Set<() => void>();

/** The first subscriber reads the zone once the browser is idle, because its first Intl format takes 40 ms. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (!isRead) {
    isRead = true;
    whenIdle(() => {
      timeZone = browserTimeZone();
      for (const notify of listeners) notify();
    });
  }
  return () => listeners.delete(listener);
}

/** The reader's time zone. UTC on the server and until the page is idle, so that both render the same. */
export const useTimeZone = (): string =>
  useSyncExternalStore(
    subscribe,
    () => timeZone,
    () => TIME_ZONE,
  );

/**
 * A sentence with times that were formatted in UTC. The browser shows them in the reader's zone; pages that are cached
 * for everyone can therefore contain it. `of` are the times that the sentence names.
 */
export function LocalTimes({ of, children }: { of: readonly (Time | null)[]; children: string }) {
  return localizeTimes(children, of, useSurface().locale, useTimeZone());
}

type LocalTimeProps = {
  at: string | Date;
  /** `date` without the time of day, `moment` with it and its zone */
  format?: "date" | "moment";
  className?: string;
};

/** A time in the reader's zone, by itself. */
export function LocalTime({ at, format = "moment", className }: LocalTimeProps) {
  const write = format === "date" ? formatDate : formatMoment;
  return (
    <time dateTime={new Date(at).toISOString()} className={className}>
      {write(at, useSurface().locale, useTimeZone())}
    </time>
  );
}
