import { median } from "./median";

/**
 * How fast this machine is, beside the one that the bars in microseconds, milliseconds and orders per second were set
 * on: performance.md says what an empty route handler cost there (460 µs) and how many bare transactions of four
 * statements it made (1,900 to 2,900 a second; the middle is taken). Both are measured in the same run as what they
 * judge. 1: as fast, or faster; 0.5: half as fast.
 */
export type Yardstick = "handler" | "transaction";
export type Pace = Partial<Record<Yardstick, number>>;

const HANDLER_US = 460;
const TRANSACTIONS = 2400;

/** What a part has measured of the machine. */
export type Told = { handlerUs?: number; transactions?: number };

export function paceOf(told: readonly Told[]): Pace {
  const handlers = told.flatMap(({ handlerUs }) => handlerUs ?? []);
  const transactions = told.flatMap((each) => each.transactions ?? []);
  return {
    ...(handlers.length > 0 && { handler: Math.min(1, HANDLER_US / median(handlers)) }),
    ...(transactions.length > 0 && { transaction: Math.min(1, median(transactions) / TRANSACTIONS) }),
  };
}

/** A figure that grows as the machine gets slower, or with `atLeast` falls, and the yardstick of the work it is of. */
export type Absolute = { value: number; bar: number; unit: string; by: Yardstick; atLeast?: true };

/** The figure as it would be where its bar was set; null where the run has not measured the yardstick. */
export function atPace({ value, bar, by, atLeast }: Absolute, pace: Pace) {
  const factor = pace[by];
  if (factor === undefined) return null;
  const there = atLeast ? value / factor : value * factor;
  return { there, holds: atLeast ? there >= bar : there <= bar };
}
