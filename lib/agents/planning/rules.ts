import type { VipOption } from "@/lib/catalog/contract";
import { MAX_QUANTITY } from "@/lib/catalog/rules";
import { refundDecision } from "@/lib/payments/refunds/rules";
import { toCents } from "@/lib/platform/money";

/** Days that can be planned for (docs/product.md#820-planning-by-days). */
export const PLAN_DAYS_MAX = 366;
/** The days that the link on a product page plans for. */
export const LINKED_DAYS = 9;

/** The days of a lifetime pass: more than any other pass has. */
const LIFETIME_DAYS = 36_500;
const DAY_MS = 86_400_000;

/** The fields of a plan that the planner uses. */
export type PlannablePass = Pick<
  VipOption,
  | "vip_id"
  | "duration_days"
  | "price"
  | "stock"
  | "stock_state"
  | "purchase_limit"
  | "deal"
  | "redeem_by"
  | "region"
>;

/** `country`: ISO 3166; passes that are not valid there are left out. */
export type PlanRequest = { days: number; budgetCents?: number; country?: string };

/** A pass of a plan and the days it covers, counted from 1; `to` null: for life. */
export type PlannedPass<P> = { pass: P; from: number; to: number | null };

export type PassPlan<P> = {
  passes: PlannedPass<P>[];
  cents: number;
  /** the number of requested days that are covered */
  covered: number;
  /** what covering all days costs; null: the stock does not suffice */
  fullCents: number | null;
};

export const passDays = ({ duration_days }: Pick<VipOption, "duration_days">): number =>
  duration_days ?? LIFETIME_DAYS;

/**
 * How many units one order may contain at the current price: limited by the stock, the limits per person and
 * per line, and by the remaining units of a deal (above them the line has the regular price).
 */
export const plannableUnits = ({ stock, stock_state, purchase_limit, deal, price }: PlannablePass): number =>
  price === 0 || stock_state === "sold_out" || stock_state === "pre_order"
    ? 0
    : Math.min(MAX_QUANTITY, stock, purchase_limit ?? MAX_QUANTITY, deal?.items_left ?? MAX_QUANTITY);

/** The last day, from 0, on which the pass may still be started. */
export const latestStart = ({ redeem_by }: PlannablePass, now: Date): number =>
  redeem_by === null
    ? Number.POSITIVE_INFINITY
    : Math.floor((Date.parse(redeem_by) - now.getTime()) / DAY_MS);

export const isValidIn = ({ region }: Pick<VipOption, "region">, country: string | undefined): boolean =>
  country === undefined || region.includes("worldwide") || region.includes(country);

/** The cheapest passes found so far that cover exactly so many days: the last `units` of `pass`, after `before`. */
type Found<P> = {
  cents: number;
  count: number;
  reach: number;
  before: Found<P> | null;
  pass: P | null;
  units: number;
};

/** Prefers less money, then fewer passes, then more days. */
const isBetter = (found: Found<unknown>, known: Found<unknown> | undefined) =>
  !known ||
  found.cents < known.cents ||
  (found.cents === known.cents &&
    (found.count < known.count || (found.count === known.count && found.reach > known.reach)));

/**
 * The cheapest sequence of a product's passes that covers the days, each starting when the one before ends,
 * within stock, limits and redemption deadlines. Of equally cheap sequences, takes the one with fewer passes.
 * Shorter passes come first, because a longer one that was not started can be refunded. If the budget does
 * not suffice, covers as many days as it buys; null if it buys none. Pure.
 */
export function planPasses<P extends PlannablePass>(
  passes: readonly P[],
  { days, budgetCents = Number.POSITIVE_INFINITY, country }: PlanRequest,
  now: Date,
): PassPlan<P> | null {
  const usable = passes
    .filter((pass) => plannableUnits(pass) > 0 && isValidIn(pass, country))
    .sort((a, b) => passDays(a) - passDays(b) || a.price - b.price || a.vip_id - b.vip_id);
  // The index is the number of days covered; the last entry is "all of them".
  let best: (Found<P> | undefined)[] = new Array(days + 1).fill(undefined);
  best[0] = { cents: 0, count: 0, reach: 0, before: null, pass: null, units: 0 };
  for (const pass of usable) {
    const length = passDays(pass);
    const cents = toCents(pass.price);
    const most = plannableUnits(pass);
    const latest = latestStart(pass, now);
    const next = [...best];
    for (let covered = 0; covered < days; covered++) {
      const before = best[covered];
      if (!before) continue;
      for (let units = 1; units <= most; units++) {
        const start = covered + (units - 1) * length;
        if (start >= days || start > latest) break;
        const reach = start + length;
        const found = {
          cents: before.cents + units * cents,
          count: before.count + units,
          reach,
          before,
          pass,
          units,
        };
        const index = Math.min(days, reach);
        if (isBetter(found, next[index])) next[index] = found;
      }
    }
    best = next;
  }
  const full = best[days];
  for (let covered = days; covered > 0; covered--) {
    const found = best[covered];
    if (found && found.cents <= budgetCents)
      return { passes: sequence(found), cents: found.cents, covered, fullCents: full?.cents ?? null };
  }
  return null;
}

function sequence<P extends PlannablePass>(last: Found<P>): PlannedPass<P>[] {
  const groups: { pass: P; units: number }[] = [];
  for (let found: Found<P> | null = last; found?.pass; found = found.before)
    groups.unshift({ pass: found.pass, units: found.units });
  let day = 1;
  return groups.flatMap(({ pass, units }) =>
    Array.from({ length: units }, () => {
      const from = day;
      day += passDays(pass);
      return { pass, from, to: pass.duration_days === null ? null : day - 1 };
    }),
  );
}

/** The refund for a shopper who stops at the end of one of these days; day 0 is before the first use. */
export type RefundDays = { from: number; to: number; cents: number };

/**
 * The refund by the shop's rule when the use stops at the end of each day, if all passes are paid at `now`. A
 * pass counts as used from the first day that it covers. Consecutive days with the same amount are one entry.
 * Pure.
 */
export function refundByDay(
  passes: readonly PlannedPass<Pick<VipOption, "price" | "duration_days" | "deal">>[],
  days: number,
  now: Date,
): RefundDays[] {
  const entries: RefundDays[] = [];
  for (let day = 0; day <= days; day++) {
    const cents = refundOnDay(passes, day, now);
    const last = entries.at(-1);
    if (last?.cents === cents) last.to = day;
    else entries.push({ from: day, to: day, cents });
  }
  return entries;
}

/** Like `refundByDay`, for one day, in cents. */
export const refundOnDay = (
  passes: readonly PlannedPass<Pick<VipOption, "price" | "duration_days" | "deal">>[],
  day: number,
  now: Date,
): number =>
  passes.reduce((sum, { pass, from }) => {
    const decision = refundDecision(
      {
        durationDays: pass.duration_days,
        paidCents: toCents(pass.price),
        limitedTime: pass.deal !== null,
        paidAt: now,
        redemption: day >= from ? "redeemed" : "unredeemed",
      },
      new Date(now.getTime() + day * DAY_MS),
    );
    return sum + decision.amountCents;
  }, 0);
