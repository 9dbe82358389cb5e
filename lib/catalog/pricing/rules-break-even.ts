import type { PassType } from "@/lib/catalog/rules";

type PricedPass = {
  vip_id: number;
  vip_type: PassType;
  /** null: lifetime */
  duration_days: number | null;
  /** the current price in dollars */
  price: number;
  stock_state: string;
};

/**
 * From how many of this pass on the next longer one is cheaper, without lasting longer than that. Null when there is
 * no such number, and for a free pass.
 */
export function breakEven<P extends PricedPass>(
  shown: PricedPass,
  all: readonly P[],
): { count: number; longer: P } | null {
  const { duration_days: days } = shown;
  if (days === null || shown.price <= 0) return null;
  const longest = Number.POSITIVE_INFINITY;
  const lengthOf = (pass: P) => pass.duration_days ?? longest;
  return (
    all
      .filter((pass) => pass.price > 0 && pass.stock_state !== "sold_out" && lengthOf(pass) > days)
      .sort((a, b) => lengthOf(a) - lengthOf(b))
      .map((longer) => ({ count: Math.floor(cents(longer.price) / cents(shown.price)) + 1, longer }))
      .find(({ count, longer }) => count > 1 && count * days <= lengthOf(longer)) ?? null
  );
}

const cents = (usd: number) => Math.round(usd * 100);
