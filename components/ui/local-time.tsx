"use client";

import { useLocale } from "next-intl";
import { useSyncExternalStore } from "react";
import { formatDate, formatMoment, localizeTimes, type Time } from "@/lib/platform/format";
import { TIME_ZONE } from "@/lib/platform/i18n/locales";
import { browserTimeZone } from "@/lib/platform/time-zone";

const subscribe = () => () => {};

/** The reader's time zone. UTC on the server and while the page hydrates, so that both render the same. */
export const useTimeZone = (): string => useSyncExternalStore(subscribe, browserTimeZone, () => TIME_ZONE);

/**
 * A sentence with times that were formatted in UTC. The browser shows them in the reader's zone; pages that are cached
 * for everyone can therefore contain it. `of` are the times that the sentence names.
 */
export function LocalTimes({ of, children }: { of: readonly (Time | null)[]; children: string }) {
  return localizeTimes(children, of, useLocale(), useTimeZone());
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
      {write(at, useLocale(), useTimeZone())}
    </time>
  );
}
