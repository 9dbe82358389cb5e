/** A day (UTC) of a merchant's account, in cents of its own share: what sales brought, and what refunds took back. */
export type EarningDay = { day: string; earned: number; back: number; sales: number };

/** The days of two periods of 28, the oldest first; the last one is today. */
export type Earnings = {
  days: readonly EarningDay[];
  /** what yesterday had brought at this time of the day */
  yesterdayByNow: number;
};

/** Days of the chart and of the refund share; twice as many are read, so that each has a period before. */
export const CHART_DAYS = 28;

/** A figure beside that of the period before; money in cents, a share from 0 to 1, null: nothing was sold. */
export type Compared<T = number> = { value: T; before: T };

/** Today against yesterday at this time, 7 days against the 7 before, and the share that refunds took of 28 days' sales. */
export function compareEarnings({ days, yesterdayByNow }: Earnings): {
  today: Compared;
  week: Compared;
  refundShare: Compared<number | null>;
} {
  const sum = (rows: readonly EarningDay[], field: "earned" | "back") =>
    rows.reduce((total, row) => total + row[field], 0);
  const share = (rows: readonly EarningDay[]) => {
    const earned = sum(rows, "earned");
    return earned > 0 ? sum(rows, "back") / earned : null;
  };
  return {
    today: { value: days.at(-1)?.earned ?? 0, before: yesterdayByNow },
    week: { value: sum(days.slice(-7), "earned"), before: sum(days.slice(-14, -7), "earned") },
    refundShare: { value: share(days.slice(-CHART_DAYS)), before: share(days.slice(0, -CHART_DAYS)) },
  };
}
