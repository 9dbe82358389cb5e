import type { LocaleTable } from "./i18n/locales";
import { memoize } from "./memoize";
import { ticketUnits } from "./ticket";

/** Localised dates and durations. Browser-safe: no message catalogue. */

// English dates are written "5 December" (docs/product.md#12-look), as in en-GB.
const DATE_TAG: LocaleTable<string> = { en: "en-GB", zh: "zh-CN", ja: "ja-JP" };

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** Caches formatters by locale and zone or unit, because creating one costs ten times its use. */
function cacheFormats<F>(
  create: (locale: string, option: string) => F,
): (locale: string, option: string) => F {
  const cached = memoize((key) => create(...(key.split(" ") as [string, string])));
  return (locale, option) => cached(`${locale} ${option}`);
}

/**
 * A function that writes a time. `timeZone` defaults to UTC so that server and browser write the same; the browser then
 * writes the reader's (components/ui/local-time.tsx).
 */
function dateFormat(options: Intl.DateTimeFormatOptions) {
  const formatFor = cacheFormats(
    (locale, timeZone) => new Intl.DateTimeFormat(DATE_TAG[locale] ?? "en-GB", { ...options, timeZone }),
  );
  return (when: Date | string | number, locale: string, timeZone = "UTC"): string =>
    formatFor(locale, timeZone).format(new Date(when));
}

const unitFormat = (unitDisplay: "long" | "short" | "narrow") =>
  cacheFormats((locale, unit) => new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay }));

/** "5 December" · "12月5日". */
export const formatDay = dateFormat({ day: "numeric", month: "long" });

/** "5 December 2026" · "2026年12月5日". */
export const formatDate = dateFormat({ day: "numeric", month: "long", year: "numeric" });

/** Chinese locale data puts the zone before the time (GMT+8 19:38), where it looks like a part of the date. */
const withZoneLast =
  (format: ReturnType<typeof dateFormat>): typeof format =>
  (...when) =>
    format(...when).replace(/(GMT\S*|UTC) ?(\d\d:\d\d)/, "$2 $1");

/** "5 December 2026 at 18:00 UTC", "… at 03:00 GMT+9", "2026年12月5日 18:00 UTC": the zone is always named. */
export const formatMoment = withZoneLast(
  dateFormat({
    day: "numeric",
    month: "long",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZoneName: "short",
  }),
);

/** "18:00 UTC", "03:00 GMT+9". */
export const formatTime = withZoneLast(
  dateFormat({
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZoneName: "short",
  }),
);

const weekdayName = dateFormat({ weekday: "long" });
const timeOfDay = dateFormat({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

/** "Wednesday 19:38" · "水曜日 19:38": a time of the next six days. */
export const formatWeekday = (...when: Parameters<typeof weekdayName>): string =>
  `${weekdayName(...when)} ${timeOfDay(...when)}`;

export type Time = Date | string | number;

/**
 * Writes the times of a sentence in another zone: each of `times`, where the sentence contains it as `formatMoment`,
 * `formatDate`, `formatDay` or `formatWeekday` write it in UTC. One pass, so that a written time is not taken for another one.
 */
export function localizeTimes(
  text: string,
  times: readonly (Time | null)[],
  locale: string,
  timeZone: string,
): string {
  if (timeZone === "UTC") return text;
  const written = new Map<string, string>();
  for (const format of [formatMoment, formatDate, formatDay, formatWeekday])
    for (const time of times)
      if (time !== null) written.set(format(time, locale), format(time, locale, timeZone));
  if (written.size === 0) return text;
  const longestFirst = [...written.keys()].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(`(?<!\\d)(?:${longestFirst.map(escapeRegExp).join("|")})`, "g");
  return text.replace(pattern, (found) => written.get(found) ?? found);
}

const escapeRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

const longFormat = unitFormat("long");
const shortFormat = unitFormat("short");
const narrowFormat = unitFormat("narrow");

export type Span = { value: string; unit: string };

type Unit = "day" | "hour" | "minute";

function span(amount: number, unit: Unit, locale: string): Span {
  const parts = longFormat(locale, unit).formatToParts(amount);
  const join = (isUnit: boolean) =>
    parts
      .filter((part) => (part.type === "unit") === isUnit)
      .map((part) => part.value)
      .join("")
      .trim();
  return { value: join(false), unit: join(true) };
}

/** How a language writes a duration: the unit of days where it differs from that of a date, what separates it, and its short form. */
const DURATION: LocaleTable<{ days?: string; gap: string; isNarrow: boolean }> = {
  en: { gap: " ", isNarrow: true },
  zh: { gap: " ", isNarrow: true },
  // Japanese distinguishes a duration (7日間) from a date (7日); its narrow form would be Latin letters.
  ja: { days: "日間", gap: "", isNarrow: false },
};
const durationOf = (locale: string) => DURATION[locale] ?? DURATION.en;

/** A pass's duration, with the holes of its ticket; null: a lifetime pass. */
export type DurationSpan = Span & { units: number | null };

/** A pass's duration: 7 → { value: "7", unit: "days", units: 7 }; `null` (lifetime) → { value: "∞", unit: "" }. */
export function durationSpan(days: number | null, locale: string): DurationSpan {
  const units = ticketUnits(days);
  if (days === null) return { value: "∞", unit: "", units };
  const duration = span(days, "day", locale);
  return { ...duration, unit: durationOf(locale).days ?? duration.unit, units };
}

/** `spoken`: value and unit as one text, for screen readers. */
export type RemainingSpan = Span & { spoken: string };

/** The remaining time, rounded down: from a day on "6d" over "22h", less than a day in its largest whole unit. */
export function remainingSpan(milliseconds: number, locale: string): RemainingSpan {
  const remainingMs = Math.max(0, milliseconds);
  const days = Math.floor(remainingMs / DAY_MS);
  const hours = Math.floor((remainingMs % DAY_MS) / HOUR_MS);
  const long = (amount: number, unit: Unit) => spanText(span(amount, unit, locale), locale);
  if (days > 0 && hours > 0)
    return {
      value: short(days, "day", locale),
      unit: short(hours, "hour", locale),
      spoken: `${long(days, "day")} ${long(hours, "hour")}`,
    };
  const [amount, unit]: [number, Unit] =
    days > 0 ? [days, "day"] : hours > 0 ? [hours, "hour"] : [Math.floor(remainingMs / MINUTE_MS), "minute"];
  return { ...span(amount, unit, locale), spoken: long(amount, unit) };
}

/** A duration as one text: "7 days", "7 天", "7日間". */
export const spanText = ({ value, unit }: Span, locale: string) =>
  `${value}${durationOf(locale).gap}${unit}`.trim();

/** "6d", "6天", "6日". */
function short(amount: number, unit: Unit, locale: string): string {
  const format = durationOf(locale).isNarrow ? narrowFormat : shortFormat;
  return format(locale, unit).format(amount).replace(/\s/g, "");
}
