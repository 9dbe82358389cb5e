import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CouponView } from "@/lib/coupons/contract";
import { compareByExpiry } from "@/lib/coupons/rules";
import {
  bestCoupon,
  type CouponFacts,
  type CouponTerms,
  couponDiscount,
  couponOrderError,
  couponState,
  type EarlierOrder,
  sortCouponsForCart,
} from "@/lib/coupons/rules-discount";
import { MINIMUM_CHARGE_CENTS } from "@/lib/payments/rules";
import { emailIdentity } from "@/lib/platform/auth/email-identity";
import { splitByLargestRemainder } from "@/lib/platform/money";

const terms = (overrides: Partial<CouponTerms> = {}): CouponTerms => ({
  amountCents: overrides.percent ? null : 500,
  percent: null,
  maxDiscountCents: null,
  minimumCents: 0,
  firstOrderOnly: false,
  free: false,
  ...overrides,
});

describe("bestCoupon", () => {
  const now = new Date("2026-11-30T12:00:00Z");
  const mine = (overrides: Partial<CouponFacts> = {}): CouponFacts => ({
    ...terms(),
    state: "open",
    userId: "me",
    startsAt: null,
    expiresAt: null,
    ...overrides,
  });
  const order = { subtotalCents: 2000, earlierOrder: null, mayBeFree: true };
  const pick = (coupons: CouponFacts[], more = {}) =>
    bestCoupon(coupons, { ...order, ...more }, { userId: "me", now });

  it("takes the highest discount, then the one that ends first, then the one worth less", () => {
    const [low, high] = [mine({ amountCents: 300 }), mine({ amountCents: 500 })];
    const soon = mine({ expiresAt: new Date("2026-12-01T00:00:00Z") });
    const big = mine({ amountCents: 9900, expiresAt: null });
    expect(pick([low, high])).toBe(high);
    expect(pick([high, soon])).toBe(soon);
    expect(pick([big, mine({ amountCents: 1950 })])?.amountCents).toBe(1950);
  });

  it("takes none that does not apply, or that would make the order free where it may not be", () => {
    const refused = [
      mine({ userId: "other" }),
      mine({ state: "used" }),
      mine({ minimumCents: 2001 }),
      mine({ expiresAt: now }),
      mine({ startsAt: new Date("2026-12-01T00:00:00Z") }),
    ];
    expect(pick(refused)).toBeNull();
    expect(pick([mine({ firstOrderOnly: true })], { earlierOrder: "unpaid" })).toBeNull();
    expect(pick([mine({ free: true, percent: 100, amountCents: null })], { mayBeFree: false })).toBeNull();
  });
});

describe("couponDiscount", () => {
  it.each([
    ["takes off an amount", terms(), 2000, 500],
    ["takes off a percentage, rounded down to the cent", terms({ percent: 15 }), 1999, 299],
    ["takes off a percentage up to its cap", terms({ percent: 50, maxDiscountCents: 400 }), 2000, 400],
    ["leaves the smallest payable amount of a subtotal below it", terms({ amountCents: 5000 }), 2000, 1950],
    ["leaves the smallest payable amount of a subtotal that equals it", terms(), 500, 450],
    ["leaves the smallest payable amount of 100 %", terms({ percent: 100 }), 2000, 1950],
    ["takes nothing off the smallest payable amount", terms({ percent: 100 }), 50, 0],
    ["takes off everything when it is free", terms({ amountCents: 5000, free: true }), 2000, 2000],
    ["takes off everything for 100 % when it is free", terms({ percent: 100, free: true }), 2000, 2000],
    ["leaves a payable amount or nothing when it is free", terms({ amountCents: 480, free: true }), 500, 450],
    ["leaves at least the smallest payable amount", terms({ amountCents: 480 }), 500, 450],
    ["leaves exactly the smallest payable amount", terms({ percent: 99 }), 1000, 950],
    ["takes nothing off a subtotal too small for a partial payment", terms({ amountCents: 10 }), 45, 0],
  ] as const)("%s", (_, coupon, subtotal, expected) => {
    expect(couponDiscount(coupon, subtotal)).toBe(expected);
  });

  it("is not refused when the minimum charge leaves no room for it", () => {
    const order = { subtotalCents: 50, earlierOrder: null };
    expect(couponOrderError(terms({ percent: 50 }), order)).toBeNull();
    expect(couponDiscount(terms({ percent: 50 }), 50)).toBe(0);
    expect(couponOrderError(terms({ percent: 1 }), order)).toBe("coupon_not_applied");
  });

  it("leaves a payable amount, or zero when it is free, and splits over the lines to the cent (5,000 carts)", () => {
    const anyTerms = fc.oneof(
      fc.record({ amountCents: fc.integer({ min: 1, max: 100_000 }), percent: fc.constant(null) }),
      fc.record({ amountCents: fc.constant(null), percent: fc.integer({ min: 1, max: 100 }) }),
    );
    const cart = fc.array(fc.integer({ min: 0, max: 50_000 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(
        anyTerms,
        fc.option(fc.integer({ min: 1, max: 9000 })),
        cart,
        fc.boolean(),
        (value, cap, lines, free) => {
          const subtotal = lines.reduce((sum, cents) => sum + cents, 0);
          const discount = couponDiscount(terms({ ...value, maxDiscountCents: cap, free }), subtotal);
          expect(Number.isInteger(discount) && discount >= 0 && discount <= subtotal).toBe(true);
          const remaining = subtotal - discount;
          if (discount > 0) expect((free && remaining === 0) || remaining >= MINIMUM_CHARGE_CENTS).toBe(true);
          if (cap !== null) expect(discount).toBeLessThanOrEqual(cap);
          const parts = splitByLargestRemainder(discount, lines);
          expect(parts.reduce((sum, cents) => sum + cents, 0)).toBe(discount);
          expect(parts.every((part, i) => part >= 0 && part <= (lines[i] ?? 0))).toBe(true);
        },
      ),
      { numRuns: 5000, seed: 20261121 },
    );
  });
});

describe("couponState and couponOrderError", () => {
  const NOW = new Date("2026-11-21T12:00:00Z");
  const couponFacts = (overrides: Partial<CouponFacts> = {}): CouponFacts => ({
    ...terms(),
    state: "open",
    userId: null,
    startsAt: null,
    expiresAt: null,
    ...overrides,
  });
  it.each([
    ["valid", {}],
    ["valid", { userId: "me" }],
    ["bound_to_another", { userId: "you" }],
    ["bound_to_another", { userId: "you", state: "used", expiresAt: new Date(0) }],
    ["used", { userId: "me", state: "used" }],
    ["used", { userId: "me", state: "reserved" }],
    ["used", { userId: "me", state: "used", expiresAt: new Date(0) }],
    ["invalid", { state: "revoked" }],
    ["expired", { expiresAt: NOW }],
    ["valid", { expiresAt: new Date(NOW.getTime() + 1) }],
    ["not_yet_valid", { startsAt: new Date(NOW.getTime() + 1) }],
    ["valid", { startsAt: NOW }],
  ] as const)("%s", (state, overrides) => {
    expect(couponState(couponFacts(overrides), "me", NOW)).toBe(state);
  });

  it("requires the minimum, a first order where configured, and a discount above zero", () => {
    const order = { subtotalCents: 999, earlierOrder: "paid" as const };
    expect(couponOrderError(terms({ minimumCents: 1000 }), order)).toBe("coupon_below_minimum");
    expect(couponOrderError(terms({ minimumCents: 999 }), order)).toBeNull();
    expect(couponOrderError(terms({ firstOrderOnly: true }), order)).toBe("coupon_first_order");
    const first = terms({ firstOrderOnly: true });
    expect(couponOrderError(first, { ...order, earlierOrder: "unpaid" })).toBe("coupon_order_open");
    expect(couponOrderError(first, { ...order, earlierOrder: null })).toBeNull();
    expect(couponOrderError(terms(), { ...order, subtotalCents: 0 })).toBe("coupon_not_applied");
  });
});

describe("sortCouponsForCart", () => {
  const view = (overrides: Partial<CouponView> & { coupon_code: string }): CouponView => ({
    title: "Test",
    kind: "promotion",
    state: "valid",
    amount: 5,
    percent: null,
    max_discount: null,
    min_amount: 0,
    first_order_only: false,
    free: false,
    starts_at: null,
    expires_at: null,
    used_at: null,
    held: false,
    order_id: null,
    ...overrides,
  });
  const coupons = [
    view({ coupon_code: "held", state: "used", held: true, order_id: "ord_1" }),
    view({ coupon_code: "minimum", min_amount: 20.01 }),
    view({ coupon_code: "first", first_order_only: true, amount: 19 }),
    view({ coupon_code: "early", state: "not_yet_valid", starts_at: "2026-12-01T00:00:00.000Z" }),
    view({ coupon_code: "five" }),
    view({ coupon_code: "five-soon", expires_at: "2026-11-22T00:00:00.000Z" }),
    view({ coupon_code: "half", amount: null, percent: 50, max_discount: 6 }),
  ];
  const sortedCodes = (subtotalCents: number, earlier_order: EarlierOrder) =>
    sortCouponsForCart({ items: coupons, earlier_order }, subtotalCents).map(
      ({ coupon, rejectionReason, discountCents }) =>
        `${coupon.coupon_code} ${rejectionReason ?? discountCents}`,
    );

  it("sorts applicable coupons by discount, then the others with their reason", () => {
    const [half, expiringSoon, five, ...inapplicable] = sortedCodes(2000, "paid");
    expect([half, expiringSoon, five]).toEqual(["half 600", "five-soon 500", "five 500"]);
    expect(inapplicable.sort()).toEqual(["early early", "first first_order", "held held", "minimum minimum"]);
    expect(sortedCodes(2001, null).slice(0, 2)).toEqual(["first 1900", "half 600"]);
    expect(sortedCodes(2001, null)).toContain("minimum 500");
  });

  it("applies none while no line is selected", () => {
    expect(sortedCodes(0, null).filter((row) => !/ (held|early|nothing_chosen)$/.test(row))).toEqual([]);
    expect(sortedCodes(0, "paid")).toContain("first first_order");
    expect(sortedCodes(0, "unpaid")).toContain("first order_open");
  });

  it("compareByExpiry sorts by expiry, coupons without expiry last", () => {
    const ends = [null, "2026-11-23T00:00:00.000Z", null, "2026-11-22T09:00:00.000Z"];
    const rows = ends.map((expires_at) => ({ expires_at })).sort(compareByExpiry);
    expect(rows.map((row) => row.expires_at)).toEqual([ends[3], ends[1], null, null]);
  });
});

describe("emailIdentity", () => {
  it.each([
    ["Ann.Lee+shop@GoogleMail.com", "annlee@gmail.com"],
    ["annlee@gmail.com", "annlee@gmail.com"],
    ["ann.lee+x@example.com", "ann.lee@example.com"],
    ["ANN@EXAMPLE.COM", "ann@example.com"],
  ])("of %s is %s", (email, identity) => expect(emailIdentity(email)).toBe(identity));
});
