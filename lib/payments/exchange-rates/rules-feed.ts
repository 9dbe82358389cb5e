import { RATED_CURRENCIES } from "./rules";

type Feed = { day: string; rates: Record<string, number> };

/** Rates that differ from the previous ones by more than this factor are taken for an error of the feed. */
const MAX_CHANGE = 2;

/**
 * Reads the JSON of a file or feed: `{ date, base, rates }` (European Central Bank style), or `{ base_code,
 * time_last_update_unix, rates }`. Rates on another base are converted when US dollars are among them. Unknown currencies
 * are left out.
 * @throws Error that says what is wrong
 */
export function parseRates(json: unknown): Feed {
  const source = (json ?? {}) as Record<string, unknown>;
  const all = source.rates;
  if (typeof all !== "object" || all === null) throw new Error("the rates are missing");
  const base = String(source.base ?? source.base_code ?? "USD").toUpperCase();
  const perBase = { ...(all as Record<string, unknown>), [base]: 1 };
  const usd = Number(perBase.USD);
  if (!(usd > 0)) throw new Error("US dollars are not among the rates");
  const seconds = Number(source.time_last_update_unix);
  const day = seconds > 0 ? new Date(seconds * 1000).toISOString().slice(0, 10) : String(source.date ?? "");
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || Number.isNaN(Date.parse(day)))
    throw new Error("the date of the rates is missing");
  const rates: Record<string, number> = {};
  for (const currency of RATED_CURRENCIES) {
    const rate = Number(perBase[currency]) / usd;
    if (currency !== "USD" && Number.isFinite(rate) && rate > 0) rates[currency] = rate;
  }
  if (Object.keys(rates).length === 0) throw new Error("no known currency is among the rates");
  return { day, rates };
}

/**
 * The rates of single days in a file: `{ base, history: { "2026-09-30": { EUR: 0.86 } } }`, as `parseRates` reads those of its `date`.
 * @throws Error that says what is wrong
 */
export function parseRateHistory(json: unknown): Feed[] {
  const { base, history = {} } = (json ?? {}) as { base?: unknown; history?: Record<string, unknown> };
  return Object.entries(history).map(([date, rates]) => parseRates({ date, base, rates }));
}

/** The first currency whose rate is implausible beside the previous one; undefined when all are plausible. */
export function findImplausibleRate(
  rates: Readonly<Record<string, number>>,
  previous: Readonly<Record<string, number>>,
): string | undefined {
  return Object.keys(rates).find((currency) => {
    const change = (rates[currency] ?? 1) / (previous[currency] ?? rates[currency] ?? 1);
    return change > MAX_CHANGE || change < 1 / MAX_CHANGE;
  });
}
