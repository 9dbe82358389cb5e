import type { PriceChangeKind } from "@/lib/catalog/rules";

// The prices of a plan over time, from the entries of price_changes (docs/product.md#818-prices-and-their-history).

const DAY_MS = 86_400_000;
/** Days before a reduction whose lowest price is shown beside it. */
export const LOWEST_PRICE_DAYS = 30;
/** Days (UTC) after which a list price that is no longer charged is the vendor's. */
export const CHARGED_DAYS = 90;

/**
 * An entry of the price history; `cents` is null where a list price was removed. Times are milliseconds since 1970 with a
 * fraction, because a plan and its deal may be written within one millisecond.
 */
export type PriceEntry = { kind: PriceChangeKind; cents: number | null; at: number; dealId: string | null };

/** A time in which one price was in force, `to` exclusive; Infinity: without an end. */
export type PricePeriod = { from: number; to: number; cents: number; dealId: string | null };

/** The windows of deals, in the order in which they were written. */
function dealWindows(entries: readonly PriceEntry[]): PricePeriod[] {
  const windows: PricePeriod[] = [];
  const open = new Map<string, PricePeriod>();
  for (const { kind, cents, at, dealId } of entries) {
    const window = dealId === null ? undefined : open.get(dealId);
    if (kind === "deal_end" && window) window.to = at;
    if (kind !== "deal_start" || dealId === null || cents === null) continue;
    if (window) window.to = Math.min(window.to, at);
    const started = { from: at, to: Number.POSITIVE_INFINITY, cents, dealId };
    open.set(dealId, started);
    windows.push(started);
  }
  return windows.filter(({ from, to }) => to > from);
}

/**
 * The prices that a buyer of one unit paid over time, from the entries in the order in which they were written: the
 * regular price, or that of a deal in its window. Periods follow each other without a gap; the last one may have an end
 * in the future, followed by the regular price.
 */
export function pricePeriods(entries: readonly PriceEntry[]): PricePeriod[] {
  const windows = dealWindows(entries);
  const regular = entries
    .filter(({ kind }) => kind === "price")
    .map(({ at, cents }) => ({ from: at, cents: cents ?? 0 }))
    .sort((a, b) => a.from - b.from);
  const ends = windows.flatMap(({ from, to }) => [from, to]).filter(Number.isFinite);
  const times = [...new Set([...regular.map(({ from }) => from), ...ends])].sort((a, b) => a - b);
  const periods: PricePeriod[] = [];
  for (const time of times) {
    const deal = windows.findLast(({ from, to }) => from <= time && time < to);
    const price = deal ?? regular.findLast(({ from }) => from <= time);
    const last = periods.at(-1);
    if (!price || (last?.cents === price.cents && last.dealId === (deal?.dealId ?? null))) continue;
    if (last) last.to = time;
    periods.push({
      from: time,
      to: Number.POSITIVE_INFINITY,
      cents: price.cents,
      dealId: deal?.dealId ?? null,
    });
  }
  return periods;
}

/**
 * The price of one unit at a moment (milliseconds since 1970), if it was lower than it is now: a pass in the cart has become
 * more expensive. Else null.
 */
export function lowerPriceAt(
  entries: readonly PriceEntry[],
  moment: number,
  priceCents: number,
): number | null {
  const then = pricePeriods(entries).findLast(({ from }) => from <= moment)?.cents;
  return then !== undefined && then < priceCents ? then : null;
}

/**
 * When the reduction to the price of the last of these periods began. Steps of one reduction that follow each other
 * without a rise, all below `wasCents`, count as one.
 */
function reductionStart(periods: readonly PricePeriod[], wasCents: number): number | null {
  let start: PricePeriod | undefined;
  for (const period of periods.toReversed()) {
    if (period.cents >= wasCents || (start && period.cents < start.cents)) break;
    start = period;
  }
  return start?.from ?? null;
}

/** The lowest price in force in the 30 days before a moment; null when none was known. */
export function lowestPriceBefore(periods: readonly PricePeriod[], moment: number): number | null {
  const begin = moment - LOWEST_PRICE_DAYS * DAY_MS;
  const prices = periods.filter(({ from, to }) => from < moment && to > begin).map(({ cents }) => cents);
  return prices.length === 0 ? null : Math.min(...prices);
}

/** Whether the price was charged in the last CHARGED_DAYS whole days (UTC) before the running one, or in this one. */
function wasCharged(periods: readonly PricePeriod[], cents: number, now: Date): boolean {
  const begin = (Math.floor(now.getTime() / DAY_MS) - CHARGED_DAYS) * DAY_MS;
  return periods.some((period) => period.cents === cents && period.to > begin);
}

/**
 * The higher price beside the current one. `previous`: the shop charged it before the reduction, and `lowestCents` is
 * the lowest price of the 30 days before that. `vendor`: the vendor's list price, which is not a reduction of this
 * shop.
 */
export type Comparison =
  | { kind: "previous"; cents: number; lowestCents: number }
  | { kind: "vendor"; cents: number; lowestCents: null };

/** SQL: the beginning of the history that is read, besides the price and the deals in force then. */
const HISTORY_START = "(shop_now() - interval '400 days')";

/** SQL: the entries of a plan `pl` as JSON. */
export const PRICE_ENTRIES = `(
    select coalesce(json_agg(json_build_object('kind', h.kind, 'cents', h.cents, 'dealId', h.deal_id,
      'at', extract(epoch from h.at)::float8 * 1000) order by h.id), '[]')
    from price_changes h where h.plan_id = pl.id and h.kind <> 'list' and (h.at >= ${HISTORY_START}
      or h.id = (select b.id from price_changes b where b.plan_id = pl.id and b.kind = 'price'
        and b.at < ${HISTORY_START} order by b.at desc, b.id desc limit 1)
      or h.deal_id in (select b.deal_id from price_changes b where b.plan_id = pl.id and b.kind = 'deal_end'
        and b.at >= ${HISTORY_START})))`;

/** SQL: the entries of a plan `pl` as JSON, if it has a deal `d` or a list price. */
export const PRICE_HISTORY = `(case when d.id is not null or pl.list_price_cents is not null then ${PRICE_ENTRIES} end)`;

type ComparedPrice = {
  /** the current price of one unit, in cents */
  priceCents: number;
  /** the regular price, when a deal replaces it */
  replacedCents: number | null;
  listPriceCents: number | null;
};

/**
 * The price to compare the current one with. A former price counts only if the current one is below the lowest price of
 * the 30 days before the reduction (Directive 98/6/EC, article 6a; Court of Justice, C-330/23); else there is none.
 */
export function comparePrice(
  { priceCents, replacedCents, listPriceCents }: ComparedPrice,
  history: readonly PriceEntry[],
  now: Date,
): Comparison | null {
  const periods = pricePeriods(history).filter(({ from }) => from <= now.getTime());
  const reduction = (wasCents: number | null): Comparison | null => {
    if (wasCents === null || wasCents <= priceCents || periods.at(-1)?.cents !== priceCents) return null;
    const start = reductionStart(periods, wasCents);
    const lowestCents = start === null ? null : lowestPriceBefore(periods, start);
    return lowestCents !== null && priceCents < lowestCents
      ? { kind: "previous", cents: wasCents, lowestCents }
      : null;
  };
  const listed = listPriceCents !== null && listPriceCents > priceCents ? listPriceCents : null;
  const charged = listed !== null && wasCharged(periods, listed, now);
  return (
    reduction(replacedCents) ??
    (charged ? reduction(listed) : null) ??
    (listed !== null && !charged ? { kind: "vendor", cents: listed, lowestCents: null } : null)
  );
}
