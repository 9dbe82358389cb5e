const SHOWN = 5;
const LATER = 2;

/** `2026-Q1` as a count of quarters, and back. */
const toCount = (quarter: string) => Number(quarter.slice(0, 4)) * 4 + Number(quarter.slice(6)) - 1;
const toQuarter = (count: number) => `${Math.floor(count / 4)}-Q${(count % 4) + 1}`;

/** The quarters to which the page of one leads, the latest first: up to two after it, none after today's, and those before. */
export function quartersAround(quarter: string, present: string): string[] {
  const count = toCount(quarter);
  const newest = Math.max(count, Math.min(count + LATER, toCount(present)));
  return Array.from({ length: SHOWN }, (_, back) => toQuarter(newest - back));
}
