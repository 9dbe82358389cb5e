import { describe, expect, it } from "vitest";
import {
  comparePrice,
  lowestPriceBefore,
  type PriceEntry,
  pricePeriods,
} from "@/lib/catalog/pricing/rules-history";

const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 1);
const day = (n: number) => START + n * DAY;
const price = (n: number, cents: number): PriceEntry => ({ kind: "price", cents, at: day(n), dealId: null });
const deal = (from: number, to: number, cents: number, dealId = "deal_1"): PriceEntry[] => [
  { kind: "deal_start", cents, at: day(from), dealId },
  { kind: "deal_end", cents: 0, at: day(to), dealId },
];
const periods = (...entries: PriceEntry[]) =>
  pricePeriods(entries).map(({ from, to, cents }) => [(from - START) / DAY, (to - START) / DAY, cents]);

describe("the prices of a plan over time", () => {
  it("are the regular price, and the deal price between its start and its end", () => {
    expect(periods(price(0, 1000), ...deal(3, 5, 700), price(4, 1100))).toEqual([
      [0, 3, 1000],
      [3, 5, 700],
      [5, Infinity, 1100],
    ]);
  });

  it("follow a deal's later end and price, and leave out prices that lasted no time", () => {
    const [start, end] = deal(3, 9, 700) as [PriceEntry, PriceEntry];
    expect(periods(price(0, 1000), start, end, { ...end, at: day(5) })).toEqual([
      [0, 3, 1000],
      [3, 5, 700],
      [5, Infinity, 1000],
    ]);
    expect(periods(price(0, 1000), start, end, ...deal(4, 9, 600))).toEqual([
      [0, 3, 1000],
      [3, 4, 700],
      [4, 9, 600],
      [9, Infinity, 1000],
    ]);
    expect(periods(price(0, 1000), start, end, { ...end, at: day(3) }, price(2, 900), price(2, 800))).toEqual(
      [
        [0, 2, 1000],
        [2, Infinity, 800],
      ],
    );
  });

  it("may be written out of order, as for the history of a demo", () => {
    expect(periods(price(5, 1000), price(0, 900))).toEqual([
      [0, 5, 900],
      [5, Infinity, 1000],
    ]);
  });
});

describe("the lowest price of the 30 days before", () => {
  it("includes the price in force at the start of the period, and not the one that ended then", () => {
    const history = pricePeriods([price(0, 500), price(10, 900), price(20, 1000)]);
    expect(lowestPriceBefore(history, day(40) - 1)).toBe(500);
    expect(lowestPriceBefore(history, day(40))).toBe(900);
    expect(lowestPriceBefore(history, day(50))).toBe(1000);
  });

  it("does not include the reduced price itself, and is unknown without a price before", () => {
    const history = pricePeriods([price(0, 900), price(20, 500)]);
    expect(lowestPriceBefore(history, day(20))).toBe(900);
    expect(lowestPriceBefore(history, day(0))).toBeNull();
  });
});

describe("the price beside the current one", () => {
  const compare = (
    now: number,
    entries: PriceEntry[],
    listPriceCents: number | null,
    replacedCents = null as number | null,
  ) => {
    const priceCents = pricePeriods(entries).findLast(({ from }) => from <= now)!.cents;
    return comparePrice({ priceCents, replacedCents, listPriceCents }, entries, new Date(now));
  };

  it("is the vendor's list price from the first midnight (UTC) after 90 days without being charged", () => {
    const entries = [price(-40, 1000), price(0.4, 800)];
    expect(compare(day(91) - 1, entries, 1000)).toEqual({ kind: "previous", cents: 1000, lowestCents: 1000 });
    expect(compare(day(91), entries, 1000)).toEqual({ kind: "vendor", cents: 1000, lowestCents: null });
  });

  it("is absent when the shop was as cheap in the 30 days before the reduction", () => {
    const entries = [price(-40, 1000), ...deal(0, 2, 800), ...deal(20, 25, 800, "deal_2")];
    expect(compare(day(1), entries, null, 1000)).toMatchObject({ lowestCents: 1000 });
    expect(compare(day(21), entries, null, 1000)).toBeNull();
    // Without a true reduction the vendor's list price may stand there.
    expect(compare(day(21), entries, 1500, 1000)).toMatchObject({ kind: "vendor", cents: 1500 });
  });

  it("is absent when the history does not know the price, as for more units than a deal has left", () => {
    const entries = [price(-40, 1000), ...deal(0, 9, 800)];
    expect(
      comparePrice(
        { priceCents: 1000, replacedCents: null, listPriceCents: null },
        entries,
        new Date(day(1)),
      ),
    ).toBeNull();
    expect(
      comparePrice({ priceCents: 1000, replacedCents: null, listPriceCents: 1200 }, [], new Date(day(1))),
    ).toMatchObject({
      kind: "vendor",
    });
  });
});
