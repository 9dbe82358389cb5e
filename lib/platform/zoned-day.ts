const DAY_MS = 86_400_000;

/** The calendar day of an instant in a time zone: `2026-11-24`. */
export const zonedDay = (at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" }).format(
    at,
  );

/** The calendar day that is `days` after a day. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/** The instant of an hour of a day in a time zone. An hour that a change of the clocks skips is moved by that change. */
export function zonedTime(day: string, hour: number, timeZone: string): Date {
  const asUtc = Date.parse(`${day}T${String(hour).padStart(2, "0")}:00:00Z`);
  const guess = asUtc - zoneOffset(asUtc, timeZone);
  return new Date(asUtc - zoneOffset(guess, timeZone));
}

/** An instant as a time of a time zone with its offset: `2026-11-28T10:30:00+09:00`. */
export function zonedIso(at: Date, timeZone: string): string {
  const offset = zoneOffset(at.getTime(), timeZone);
  const minutes = Math.abs(offset) / 60_000;
  const two = (part: number) => String(Math.trunc(part)).padStart(2, "0");
  const sign = offset < 0 ? "-" : "+";
  return `${new Date(at.getTime() + offset).toISOString().slice(0, 19)}${sign}${two(minutes / 60)}:${two(minutes % 60)}`;
}

/** The offset of a time zone from UTC at an instant, in milliseconds. */
function zoneOffset(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  }).formatToParts(at);
  const value = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((part) => part.type === type)?.value ?? 0);
  const local = Date.UTC(
    value("year"),
    value("month") - 1,
    value("day"),
    value("hour"),
    value("minute"),
    value("second"),
  );
  return local - Math.floor(at / 1000) * 1000;
}
