"use client";

import { useEffect, useState } from "react";
import { Pill } from "@/components/console/pill";
import { useTimeZone } from "@/components/ui/local-time";
import { useSurface } from "@/components/ui/surface";
import { formatMoment } from "@/lib/platform/format";
import { WRITING } from "@/lib/platform/i18n/locales";

function ShortMoment({ at, hours }: { at: string; hours: boolean }) {
  const { locale } = useSurface();
  const timeZone = useTimeZone();
  const format = new Intl.DateTimeFormat(locale, {
    timeZone,
    year: "numeric",
    month: WRITING[locale] === "spaced" ? "short" : "numeric",
    day: "numeric",
    ...(hours && { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }),
  });
  return (
    <time dateTime={at} title={formatMoment(at, locale, timeZone)} className="figures whitespace-nowrap">
      {format.format(new Date(at))}
    </time>
  );
}

/** A time in a list, short and in the reader's zone; the whole one is its title. */
export const ShortTime = ({ at }: { at: string }) => <ShortMoment at={at} hours />;
/** The same without hours. */
export const ShortDate = ({ at }: { at: string }) => <ShortMoment at={at} hours={false} />;

const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** The seconds from now to a time, negative for a past one. They are known in the browser only. */
function useSecondsTo(at: string): number | undefined {
  const [seconds, setSeconds] = useState<number>();
  useEffect(() => setSeconds((new Date(at).getTime() - Date.now()) / 1000), [at]);
  return seconds;
}

/** How long ago a time is, in its largest unit. */
export function Age({ at }: { at: string }) {
  const { locale } = useSurface();
  const until = useSecondsTo(at);
  if (until === undefined) return null;
  const seconds = Math.max(0, -until);
  // Less than a minute is "now".
  const [unit, size] = UNITS.find(([, length]) => seconds >= length) ?? ["second", 60];
  const numeric = unit === "second" ? "auto" : "always";
  const format = new Intl.RelativeTimeFormat(locale, { style: "narrow", numeric });
  return (
    <span className="figures whitespace-nowrap">{format.format(-Math.floor(seconds / size), unit)}</span>
  );
}

/** A deadline within this many hours is shown in hours. */
const IN_HOURS = 72;

/** How much time is left until a deadline, in hours or a larger unit; `late` for a past one. */
export function TimeLeft({ until, late }: { until: string; late: string }) {
  const { locale } = useSurface();
  const seconds = useSecondsTo(until);
  if (seconds === undefined) return null;
  if (seconds <= 0) return <Pill tone="bad">{late}</Pill>;
  const units = seconds > IN_HOURS * 3_600 ? UNITS : UNITS.slice(1);
  const [unit, size] = units.find(([, length]) => seconds >= length) ?? UNITS[2];
  const format = new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "short" });
  return <span className="figures whitespace-nowrap">{format.format(Math.floor(seconds / size))}</span>;
}
