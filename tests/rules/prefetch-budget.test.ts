import { beforeEach, describe, expect, it } from "vitest";
import { mayPrefetch, renewPrefetchBudget } from "@/components/ui/prefetch-budget";

describe("prefetch budget (docs/product.md#24-navigation)", () => {
  beforeEach(renewPrefetchBudget);

  it("allows five pages, each any number of times", () => {
    const paths = [1, 2, 3, 4, 5].map((n) => `/mobile/product/p${n}`);
    expect(paths.map(mayPrefetch)).toEqual([true, true, true, true, true]);
    expect(mayPrefetch("/mobile/product/p6")).toBe(false);
    expect(mayPrefetch("/mobile/product/p1")).toBe(true);
  });

  it("always allows the main pages, in every language and with a query", () => {
    for (const n of [1, 2, 3, 4, 5]) mayPrefetch(`/ja/mobile/product/p${n}`);
    for (const path of ["/ja/mobile/limited", "/ja/mobile/blog?q=x", "/ja/mobile/free-voucher", "/ja/mobile"])
      expect(mayPrefetch(path)).toBe(true);
    expect(mayPrefetch("/ja/mobile/search")).toBe(false);
  });

  it("starts again after each navigation", () => {
    for (const n of [1, 2, 3, 4, 5]) mayPrefetch(`/mobile/product/p${n}`);
    expect(mayPrefetch("/mobile/product/p6")).toBe(false);
    renewPrefetchBudget();
    expect(mayPrefetch("/mobile/product/p6")).toBe(true);
  });
});
