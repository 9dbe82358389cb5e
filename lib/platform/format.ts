import { memoize } from "./memoize";

/** Dates and spans of time for the eye, by locale. Browser-safe: no message catalogue. */

// English writes "5 December" (docs/product.md#12-look), so it takes its order from en-GB.
const DATE_TAG: Record<string, string> = { en: "en-GB", zh: "zh-CN", ja: "ja-JP" };

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

type When = Date | string | number;

/** To make a format costs ten times what it does and more: those of a locale and a zone, or a unit, are made once. */
function madeOnce<F>(make: (locale: string, of: string) => F): (locale: string, of: string) => F {
  const made = memoize((key) => make(...(key.split(" ") as [string, string])));
  return (locale, of) => made(`${locale} ${of}`);
}

const dateFormat = (options: Intl.DateTimeFormatOptions) =>
  madeOnce(
    (locale, timeZone) => new Intl.DateTimeFormat(DATE_TAG[locale] ?? "en-GB", { ...options, timeZone }),
  );
const unitFormat = (unitDisplay: "long" | "short" | "narrow") =>
  madeOnce((locale, unit) => new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay }));

const dayFormat = dateFormat({ day: "numeric", month: "long" });
const fullDateFormat = dateFormat({ day: "numeric", month: "long", year: "numeric" });
const momentFormat = dateFormat({
  day: "numeric",
  month: "long",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
  timeZoneName: "short",
});
const longFormat = unitFormat("long");
const shortFormat = unitFormat("short");
const narrowFormat = unitFormat("narrow");

/** "5 December" · "12月5日". `timeZone` defaults to UTC so that server and browser write the same. */
export function formatDay(when: When, locale: string, timeZone = "UTC"): string {
  return dayFormat(locale, timeZone).format(new Date(when));
}

/** "5 December 2026" · "2026年12月5日". */
export function formatDate(when: When, locale: string, timeZone = "UTC"): string {
  return fullDateFormat(locale, timeZone).format(new Date(when));
}

/** "5 December 2026 at 18:00 UTC": the zone is named, because the reader's may differ. */
export function formatMoment(when: When, locale: string, timeZone = "UTC"): string {
  return momentFormat(locale, timeZone).format(new Date(when));
}

export type Span = { value: string; unit: string };

type Unit = "day" | "hour" | "minute";

function span(amount: number, unit: Unit, locale: string): Span {
  const parts = longFormat(locale, unit).formatToParts(amount);
  const pick = (wanted: boolean) =>
    parts
      .filter((part) => (part.type === "unit") === wanted)
      .map((part) => part.value)
      .join("")
      .trim();
  return { value: pick(false), unit: pick(true) };
}

/** The hero of a ticket: 7 → { value: "7", unit: "days" }; `null` (no end) → { value: "∞", unit: "" }. */
export function durationSpan(days: number | null, locale: string): Span {
  if (days === null) return { value: "∞", unit: "" };
  const duration = span(days, "day", locale);
  // Japanese tells a length of days (7日間) from a day of the month (7日).
  return locale === "ja" ? { ...duration, unit: "日間" } : duration;
}

/** `said`: value and unit in one, for whoever listens. */
export type RemainingSpan = Span & { said: string };

/**
 * What is left, rounded down, so that it never promises more time than there is: from a day on as "6d" over "22h",
 * below in its largest whole unit.
 */
export function remainingSpan(milliseconds: number, locale: string): RemainingSpan {
  const left = Math.max(0, milliseconds);
  const days = Math.floor(left / DAY_MS);
  const hours = Math.floor((left % DAY_MS) / HOUR_MS);
  const long = (amount: number, unit: Unit) => joined(span(amount, unit, locale));
  if (days > 0 && hours > 0)
    return {
      value: short(days, "day", locale),
      unit: short(hours, "hour", locale),
      said: `${long(days, "day")} ${long(hours, "hour")}`,
    };
  const [amount, unit]: [number, Unit] =
    days > 0 ? [days, "day"] : hours > 0 ? [hours, "hour"] : [Math.floor(left / MINUTE_MS), "minute"];
  return { ...span(amount, unit, locale), said: long(amount, unit) };
}

const joined = ({ value, unit }: Span) => `${value} ${unit}`.trim();

/** "6d", "6天", "6日"; narrow Japanese would be Latin letters. */
function short(amount: number, unit: Unit, locale: string): string {
  const format = locale === "ja" ? shortFormat : narrowFormat;
  return format(locale, unit).format(amount).replace(/\s/g, "");
}
