/** Points of a chart at most; a chart shows the last ones. */
export const MAX_POINTS = 400;

const STEPS = [1, 2, 2.5, 5, 10];
const INTERVALS = 4;

/**
 * The values of the horizontal lines of a chart, from 0 to at least the highest value: four equal intervals of a round
 * size. `whole`: the values are counts, so that the lines are whole numbers.
 */
export function chartTicks(values: readonly (number | null)[], { whole = false } = {}): number[] {
  const highest = Math.max(0, ...values.map((value) => value ?? 0));
  const least = highest > 0 ? highest / INTERVALS : 1 / INTERVALS;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = (STEPS.find((factor) => factor * power >= least * (1 - 1e-9)) ?? 10) * power;
  const interval = whole ? Math.max(1, Math.ceil(step)) : step;
  return Array.from({ length: INTERVALS + 1 }, (_, i) => Number((i * interval).toPrecision(12)));
}
