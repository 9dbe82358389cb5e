import fc from "fast-check";
import { expect, it } from "vitest";
import { forecast } from "@/lib/merchants/insight/rules";
import { isFitting, maskPersons } from "@/lib/merchants/requests/rules";
import { payableAt, reverseSale, shareSale } from "@/lib/orders/sales/rules";

const cents = fc.integer({ min: 0, max: 1_000_000 });

it("commission and net add up to the price before a discount of the shop, and after one of the merchant", () => {
  const rule = { bps: 1_500, fixedCents: 10 };
  const sale = { units: 2, grossCents: 2_001, discountCents: 501 };
  expect(shareSale({ ...sale, fundedBy: "shop" }, rule)).toEqual({
    taxCents: 0,
    commissionCents: 320,
    netCents: 1_681,
  });
  expect(shareSale({ ...sale, fundedBy: "merchant" }, rule)).toEqual({
    taxCents: 0,
    commissionCents: 245,
    netCents: 1_255,
  });
  // A fixed part is never more than the price.
  expect(shareSale({ units: 9, grossCents: 50, discountCents: 0, fundedBy: "shop" }, rule)).toEqual({
    taxCents: 0,
    commissionCents: 50,
    netCents: 0,
  });
});

it("refunds take back proportional parts, whose sum depends only on the refunded sum", () => {
  fc.assert(
    fc.property(
      cents,
      fc.integer({ min: 0, max: 10_000 }),
      fc.array(cents, { maxLength: 6 }),
      (paid, bps, parts) => {
        const units = 3;
        const sold = {
          units,
          paidCents: paid,
          ...shareSale(
            { units, grossCents: paid, discountCents: 0, fundedBy: "shop" },
            { bps, fixedCents: 7 },
          ),
        };
        let [refundedCents, before] = [0, { commissionBackCents: 0, netBackCents: 0 }];
        for (const part of parts) {
          refundedCents = Math.min(paid, refundedCents + part);
          const back = reverseSale({ ...sold, refundedCents, refundedUnits: 0 });
          expect(back.commissionBackCents).toBeGreaterThanOrEqual(before.commissionBackCents);
          expect(back.netBackCents).toBeGreaterThanOrEqual(before.netBackCents);
          expect(back.commissionBackCents + back.netBackCents).toBe(paid > 0 ? refundedCents : 0);
          before = back;
        }
        const all = reverseSale({ ...sold, refundedCents: paid, refundedUnits: units });
        expect(all).toEqual({
          state: "refunded",
          commissionBackCents: sold.commissionCents,
          netBackCents: sold.netCents,
        });
      },
    ),
  );
});

it("the share of a free sale is taken back by returned units", () => {
  const free = { units: 2, paidCents: 0, refundedCents: 0, commissionCents: 150, netCents: 850 };
  expect(reverseSale({ ...free, refundedUnits: 0 }).state).toBe("sold");
  expect(reverseSale({ ...free, refundedUnits: 1 })).toEqual({
    state: "reduced",
    commissionBackCents: 75,
    netBackCents: 425,
  });
  expect(reverseSale({ ...free, refundedUnits: 2 }).state).toBe("refunded");
});

it("a sale is payable three days after the delivery, after its refund window, the right of withdrawal and the last day of a gift", () => {
  const day = (n: number) => new Date(Date.UTC(2026, 0, n));
  const facts = {
    paidAt: day(1),
    deliveredAt: day(5),
    preOrder: false,
    refundDays: 15,
    withdrawalUntil: null,
    claimUntil: null,
  };
  expect(payableAt(facts)).toEqual(day(16));
  expect(payableAt({ ...facts, preOrder: true })).toEqual(day(20));
  expect(payableAt({ ...facts, refundDays: null })).toEqual(day(8));
  expect(payableAt({ ...facts, refundDays: null, withdrawalUntil: day(16) })).toEqual(day(16));
  expect(payableAt({ ...facts, deliveredAt: day(18) })).toEqual(day(21));
  expect(payableAt({ ...facts, claimUntil: day(31) })).toEqual(day(31));
});

const facts = { weekday: 3, available: 20, waiting: 0 };
it("the forecast of a steady plan is its rate, and that of an unsold plan is zero", () => {
  const steady = forecast({ ...facts, units: Array.from({ length: 56 }, () => 2) });
  expect(steady.rate).toBeCloseTo(2);
  expect(steady.expected).toBeCloseTo(28);
  expect(steady).toMatchObject({ cover: 10, suggestion: 8 });
  expect(steady.low).toBeLessThan(28);
  expect(steady.high).toBeGreaterThan(28);
  expect(steady.suggestionHigh).toBeGreaterThan(steady.suggestion);
  const none = forecast({ ...facts, units: [0, 0, 0, 0, 0, 0, 0], waiting: 3, available: 1 });
  expect(none).toMatchObject({ rate: 0, expected: 0, low: 0, high: 0, cover: null, suggestion: 2 });
  expect(forecast({ ...facts, units: [] }).expected).toBe(0);
});

it("the forecast follows weekdays, weights newer weeks more, and widens its band with past variance", () => {
  // Today is a Wednesday; only Saturdays sell.
  const saturdays = Array.from({ length: 56 }, (_, i) => ((((3 - (56 - i)) % 7) + 7) % 7 === 6 ? 14 : 0));
  const weekly = forecast({ ...facts, units: saturdays });
  expect(weekly.expected).toBeCloseTo(28, 0);
  expect(weekly.days.indexOf(Math.max(...weekly.days))).toBe(3);
  expect(weekly.days[3]!).toBeGreaterThan(5 * weekly.days[0]!);
  const grown = forecast({
    ...facts,
    units: [...Array.from({ length: 28 }, () => 1), ...Array.from({ length: 28 }, () => 3)],
  });
  expect(grown.rate).toBeGreaterThan(2.2);
  const wild = forecast({ ...facts, units: Array.from({ length: 56 }, (_, i) => (i % 5 === 0 ? 10 : 0)) });
  const steady = forecast({ ...facts, units: Array.from({ length: 56 }, () => 2) });
  expect(wild.high - wild.low).toBeGreaterThan(2 * (steady.high - steady.low));
});

it("a merchant's screen masks addresses, order numbers and phone numbers in what shoppers wrote", () => {
  const text =
    "I am ada@example.com, order PL-2611-0042 (ord_abc123), call +49 30 1234567. The code fails since 2026.";
  expect(maskPersons(text)).toBe("I am •••, order ••• (•••), call •••. The code fails since 2026.");
});

it("answers must match the kind of their request", () => {
  expect(isFitting("refund", "used")).toBe(true);
  expect(isFitting("refund", "replace")).toBe(false);
  expect(isFitting("replacement", "refuse")).toBe(true);
});
