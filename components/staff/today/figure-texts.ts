import type { Locale } from "@/lib/platform/i18n/locales";
import { formatPrice } from "@/lib/platform/money";
import type { WeekFigureName } from "@/lib/staff/today/rules-figures";

/** A duration in the largest unit that keeps it readable: 45 s, 12 min, 3.5 h. */
export function durationText(seconds: number, locale: Locale): string {
  const [size, unit] =
    seconds < 120 ? [1, "second"] : seconds < 7_200 ? [60, "minute"] : ([3_600, "hour"] as const);
  return new Intl.NumberFormat(locale, {
    style: "unit",
    unit,
    unitDisplay: "short",
    maximumFractionDigits: size === 3_600 ? 1 : 0,
  }).format(seconds / size);
}

/** A figure in words: money, a share, a duration or a count. */
export function figureText(name: WeekFigureName, value: number | null, locale: Locale): string {
  if (value === null) return "–";
  if (name === "revenue") return formatPrice(value, locale);
  if (name === "refund_share")
    return new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 }).format(value);
  if (name === "paid_to_key") return durationText(value, locale);
  return new Intl.NumberFormat(locale).format(value);
}

/** The change of a figure, as a share of what it was before; null where there was nothing to compare. */
export function changeText(value: number | null, before: number | null, locale: Locale): string | null {
  if (value === null || before === null || before === 0) return null;
  return new Intl.NumberFormat(locale, {
    style: "percent",
    maximumFractionDigits: 0,
    signDisplay: "exceptZero",
  }).format(value / before - 1);
}
