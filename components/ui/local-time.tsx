"use client";

import { useReader } from "@/components/ui/local-text";
import { useSurface } from "@/components/ui/surface";
import { formatDate, formatMoment } from "@/lib/platform/format";
import { TIME_ZONE } from "@/lib/platform/i18n/locales";

/** The reader's time zone. UTC on the server and until it is known, so that both render the same. */
export const useTimeZone = (): string => useReader()?.timeZone ?? TIME_ZONE;

type LocalTimeProps = {
  at: string | Date;
  /** `date` without the time of day, `moment` with it and its zone */
  format?: "date" | "moment";
  className?: string;
};

/** A time in the reader's zone, by itself. Public pages use `LocalTimes`, which loads the formats on demand. */
export function LocalTime({ at, format = "moment", className }: LocalTimeProps) {
  const write = format === "date" ? formatDate : formatMoment;
  return (
    <time dateTime={new Date(at).toISOString()} className={className}>
      {write(at, useSurface().locale, useTimeZone())}
    </time>
  );
}
