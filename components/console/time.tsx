"use client";

import { useTimeZone } from "@/components/ui/local-time";
import { useSurface } from "@/components/ui/surface";
import { formatMoment } from "@/lib/platform/format";

/** A time in a list, short and in the reader's zone; the whole one is its title. */
export function ShortTime({ at }: { at: string }) {
  const { locale } = useSurface();
  const timeZone = useTimeZone();
  const format = new Intl.DateTimeFormat(locale, {
    timeZone,
    year: "numeric",
    month: locale === "en" ? "short" : "numeric",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  return (
    <time dateTime={at} title={formatMoment(at, locale, timeZone)} className="figures whitespace-nowrap">
      {format.format(new Date(at))}
    </time>
  );
}
