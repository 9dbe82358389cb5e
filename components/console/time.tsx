"use client";

import { useEffect, useState } from "react";
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

const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** How long ago a time is, in its largest unit. It is known in the browser only. */
export function Age({ at }: { at: string }) {
  const { locale } = useSurface();
  const [seconds, setSeconds] = useState<number>();
  useEffect(() => setSeconds(Math.max(0, (Date.now() - new Date(at).getTime()) / 1000)), [at]);
  if (seconds === undefined) return null;
  const [unit, size] = UNITS.find(([, length]) => seconds >= length) ?? UNITS[2];
  const format = new Intl.RelativeTimeFormat(locale, { style: "narrow", numeric: "always" });
  return (
    <span className="figures whitespace-nowrap">{format.format(-Math.floor(seconds / size), unit)}</span>
  );
}
