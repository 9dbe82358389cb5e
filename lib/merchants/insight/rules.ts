/** Past weeks that a forecast uses, and future days that it covers. */
export const FORECAST_WEEKS = 8;
export const FORECAST_DAYS = 14;
/** A week counts this much of the one after it. */
const WEEK_WEIGHT = 0.8;
/** A weekday's own share counts fully with many weeks; a few are pulled towards the average. */
const SMOOTHING = 2;
/** Of ten fortnights, eight end within the band. */
const BAND = 1.28;
/** Days of sales below which no forecast is shown, only since when the plan sells. */
export const MIN_HISTORY_DAYS = 14;

export type ForecastFacts = {
  /** paid units of each day, the oldest first; the last one is yesterday. At most 8 weeks count. */
  units: readonly number[];
  /** paid units of today, and the elapsed fraction of the day (0 to 1) */
  today?: number;
  elapsed?: number;
  /** the weekday of today: 0 is Sunday */
  weekday: number;
  available: number;
  /** people on the wait-list */
  waiting: number;
};

/**
 * The recent sales of a plan: pairs of days ago (0: today) and paid units, as `salesHistory` of read-demand.ts reads
 * them.
 */
export type SalesHistory = {
  sales: readonly (readonly [number, number])[];
  elapsed: number;
  weekday: number;
};

/** The days of a plan's history begin with its first sale of the last weeks, but a week ago at the latest. */
export function toForecastFacts({
  sales,
  ...clock
}: SalesHistory): Omit<ForecastFacts, "available" | "waiting"> {
  const units = Array.from({ length: Math.max(7, ...sales.map(([day]) => day)) }, () => 0);
  for (const [day, count] of sales) if (day > 0) units[units.length - day] = count;
  return { ...clock, units, today: sales.find(([day]) => day === 0)?.[1] ?? 0 };
}

/** Days since the first sale of the last weeks, that day and today included; 0: nothing was sold. */
export const historyDays = ({ sales }: SalesHistory): number => Math.max(0, ...sales.map(([day]) => day + 1));

export type Forecast = {
  /** units a day at the present rate */
  rate: number;
  /** expected units of each of the next days, beginning today */
  days: number[];
  /** expected units of all of them, and the band in which they end eight times of ten */
  expected: number;
  low: number;
  high: number;
  /** days for which the available codes last; null: nothing is sold */
  cover: number | null;
  /** codes to add for these days and the waiting people, and the same for the band */
  suggestion: number;
  suggestionLow: number;
  suggestionHigh: number;
};

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/**
 * What a plan will sell: the average of the last weeks, of which newer ones count more, times the share of each weekday.
 * The band comes from how far the past days were from that; it is never narrower than chance makes it.
 */
export function forecast({
  units: all,
  today = 0,
  elapsed = 0,
  weekday,
  available,
  waiting,
}: ForecastFacts): Forecast {
  const units = all.slice(-7 * FORECAST_WEEKS);
  const past = units.map((count, i) => {
    const daysAgo = units.length - i;
    return {
      count,
      weight: WEEK_WEIGHT ** Math.floor((daysAgo - 1) / 7),
      weekday: (((weekday - daysAgo) % 7) + 7) % 7,
    };
  });
  const weights = sum(past.map(({ weight }) => weight));
  const sold = sum(past.map(({ count, weight }) => count * weight));
  const rate = weights > 0 ? (sold + today) / (weights + elapsed) : 0;
  const shares = [0, 1, 2, 3, 4, 5, 6].map((day) => {
    const same = past.filter((one) => one.weekday === day);
    const total = sum(same.map(({ count, weight }) => count * weight)) + SMOOTHING * rate;
    return rate > 0 ? total / ((sum(same.map(({ weight }) => weight)) + SMOOTHING) * rate) : 1;
  });
  const mean = sum(shares) / 7;
  const expectedOn = (day: number) => (rate * shares[((day % 7) + 7) % 7]!) / mean;
  const days = Array.from({ length: FORECAST_DAYS }, (_, i) => expectedOn(weekday + i));
  const squares = past.map(({ count, weight, weekday: day }) => weight * (count - expectedOn(day)) ** 2);
  const variance = Math.max(rate, weights > 0 ? sum(squares) / weights : 0);
  const margin = BAND * Math.sqrt(FORECAST_DAYS * variance);
  const expected = sum(days);
  const toAdd = (sold: number) => Math.max(0, Math.ceil(sold - 1e-9) + waiting - available);
  const [low, high] = [Math.max(0, expected - margin), expected + margin];
  return {
    rate,
    days,
    expected,
    low,
    high,
    cover: rate > 0 ? Math.floor(available / rate) : null,
    suggestion: toAdd(expected),
    suggestionLow: toAdd(low),
    suggestionHigh: toAdd(high),
  };
}

/** Of the most frequent searches, those that merchants see with the products that they show. */
export const COUNTED_SEARCHES = 200;

/** Days that the figures of plans can show. */
export const INSIGHT_DAYS = [7, 28] as const;
