import { addDays, zonedDay } from "@/lib/platform/zoned-day";

/** Ranges of days relative to today, so that a saved view still matches its name later. Weeks begin on Monday. */
export const RELATIVE_DAYS = [
  "today",
  "yesterday",
  "this_week",
  "last_week",
  "last_7_days",
  "last_30_days",
  "this_month",
  "last_month",
] as const;
export type RelativeDays = (typeof RELATIVE_DAYS)[number];

/** The first and the last day of a range, both included, at a time and in a time zone. */
export function relativeDays(name: RelativeDays, now: Date, timeZone: string): { from: string; to: string } {
  const today = zonedDay(now, timeZone);
  const monday = addDays(today, -((new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7));
  const firstOfMonth = `${today.slice(0, 7)}-01`;
  const beforeMonth = addDays(firstOfMonth, -1);
  const ranges: Record<RelativeDays, [string, string]> = {
    today: [today, today],
    yesterday: [addDays(today, -1), addDays(today, -1)],
    this_week: [monday, today],
    last_week: [addDays(monday, -7), addDays(monday, -1)],
    last_7_days: [addDays(today, -6), today],
    last_30_days: [addDays(today, -29), today],
    this_month: [firstOfMonth, today],
    last_month: [`${beforeMonth.slice(0, 7)}-01`, beforeMonth],
  };
  const [from, to] = ranges[name];
  return { from, to };
}
