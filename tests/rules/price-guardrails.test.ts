import { describe, expect, it } from "vitest";
import { type ProposedPrices, priceProblem } from "@/lib/catalog/pricing/rules-guardrails";
import type { PriceEntry } from "@/lib/catalog/pricing/rules-history";

const NOW = new Date("2026-11-24T12:00:00Z");
const DAY = 86_400;
/** An entry from some seconds ago. */
const entry = (secondsAgo: number, cents: number, kind: PriceEntry["kind"] = "price"): PriceEntry => ({
  kind,
  cents,
  at: NOW.getTime() - secondsAgo * 1000,
  dealId: kind.startsWith("deal") ? `deal_${secondsAgo}` : null,
});
const current = (
  regularCents: number,
  dealCents: number | null = null,
  listPriceCents: number | null = null,
) => ({
  regularCents,
  listPriceCents,
  dealCents,
});
const next = (regularCents: number, fields: Partial<ProposedPrices> = {}): ProposedPrices => ({
  ...current(regularCents),
  newDeal: false,
  ...fields,
});
const deal = (regularCents: number, dealCents: number) => next(regularCents, { dealCents, newDeal: true });
const old = [entry(200 * DAY, 1000)];

describe("a change of a price", () => {
  it("is unrestricted when the price stays, or only the list price changes", () => {
    const history = [...old, entry(1, 1000)];
    expect(priceProblem(current(1000), next(1000), history, NOW)).toBeNull();
    expect(priceProblem(current(1000), next(1000, { listPriceCents: 5000 }), history, NOW)).toBeNull();
    expect(priceProblem(current(1000, 700), next(1000, { dealCents: 700 }), history, NOW)).toBeNull();
  });

  it("must wait 30 seconds after the last one, deals included", () => {
    const change = (secondsAgo: number, kind: PriceEntry["kind"]) =>
      priceProblem(current(1100), next(1200), [...old, entry(secondsAgo, 1100, kind)], NOW);
    expect(change(29, "price")).toBe("too_soon");
    expect(change(30, "price")).toBeNull();
    expect(change(29, "deal_start")).toBe("too_soon");
    // The first price of a plan does not count as a change.
    expect(priceProblem(current(1000), next(1100), [entry(5, 1000)], NOW)).toBeNull();
  });

  it("is allowed 20 times in 24 hours at most", () => {
    const changes = Array.from({ length: 20 }, (_, n) => entry((20 - n) * 3600, 1000 + n + 1));
    expect(priceProblem(current(1020), next(1030), [...old, ...changes], NOW)).toBe("too_many");
    expect(priceProblem(current(1020), next(1030), [...old, ...changes.slice(1)], NOW)).toBeNull();
  });

  it("needs approval beyond half of the price of 24 hours ago", () => {
    expect(priceProblem(current(1000), next(1500), old, NOW)).toBeNull();
    expect(priceProblem(current(1000), next(1501), old, NOW)).toBe("needs_approval");
    expect(priceProblem(current(1000), next(500), old, NOW)).toBeNull();
    expect(priceProblem(current(1000), next(499), old, NOW)).toBe("needs_approval");
    expect(priceProblem(current(1000), next(499), old, NOW, { approved: true })).toBeNull();
    expect(priceProblem(current(1000), deal(1000, 499), old, NOW)).toBe("needs_approval");
    expect(priceProblem(current(0), next(100), [entry(200 * DAY, 0)], NOW)).toBe("needs_approval");
    // Small steps within a day add up.
    const steps = [...old, entry(7200, 1300), entry(3600, 1450)];
    expect(priceProblem(current(1450), next(1501), steps, NOW)).toBe("needs_approval");
    expect(priceProblem(current(1450), next(1501), [...old, entry(25 * 3600, 1450)], NOW)).toBeNull();
  });

  it("is not a reduction if the price was raised in the last 30 days", () => {
    const raised = (daysAgo: number) => [...old, entry(daysAgo * DAY, 1200)];
    expect(priceProblem(current(1200), deal(1200, 900), raised(29), NOW)).toBe("raised_recently");
    expect(priceProblem(current(1200), deal(1200, 900), raised(30), NOW)).toBeNull();
    // Raised and reduced at once, or raised beneath a running deal.
    expect(priceProblem(current(1000), deal(1200, 900), old, NOW)).toBe("raised_recently");
    expect(priceProblem(current(1000, 900), next(1200, { dealCents: 900 }), old, NOW)).toBe(
      "raised_recently",
    );
    // Back to the former price, without an earlier one beside it.
    expect(priceProblem(current(1200), next(1000), raised(3), NOW)).toBeNull();
    expect(priceProblem(current(1200), next(1000, { listPriceCents: 1200 }), raised(3), NOW)).toBe(
      "raised_recently",
    );
    // A deal from the former price, after the raise was taken back.
    const back = [...raised(3), entry(2 * DAY, 1000)];
    expect(priceProblem(current(1000), deal(1000, 900), back, NOW)).toBeNull();
    // The vendor's list price was never charged.
    expect(priceProblem(current(1200), next(1000, { listPriceCents: 1500 }), raised(3), NOW)).toBeNull();
  });
});
