import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { toggleComparedPlan } from "@/components/catalog/compare/compared-plans";
import { parseRecentProduct } from "@/components/catalog/recent/recent-products";
import { recordProduct } from "@/components/catalog/recent/record-product";

/** Lists that only this browser keeps. */
const store = new Map<string, string>();
const stored = (key: string) => JSON.parse(store.get(key) ?? "[]");

beforeEach(() => {
  store.clear();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => store.get(key) ?? null,
    setItem: (key: string, value: string) => store.set(key, value),
    removeItem: (key: string) => store.delete(key),
  });
  vi.stubGlobal("dispatchEvent", () => true);
});
afterEach(() => vi.unstubAllGlobals());

const product = (slug: string, names: object = { en: slug }) => ({
  slug,
  names,
  maker: "Vendor",
  image: `/admin/product-image/1?v=${slug}`,
});

describe("recently viewed products", () => {
  it("are kept once each, newest first, up to seven, with their names of all languages", () => {
    for (const slug of ["a", "b", "c", "d", "e", "f", "g", "h"]) recordProduct(product(slug));
    recordProduct(product("c", { ja: "シー" }));
    const list = stored("recent_products");
    expect(list.map(({ slug }: { slug: string }) => slug)).toEqual(["c", "h", "g", "f", "e", "d", "b"]);
    expect(list[0].names).toEqual({ en: "c", ja: "シー" });
  });

  it("are shown only if they are products of this shop", () => {
    const { slug, ...rest } = product("kept");
    expect(parseRecentProduct({ ...rest, slug, price: 3 })).toEqual({ ...rest, slug });
    for (const invalid of [
      null,
      7,
      {},
      product("../x"),
      { ...product("y"), image: "https://elsewhere.example/x" },
    ])
      expect(parseRecentProduct(invalid)).toBeNull();
  });

  it("start again when something else is stored", () => {
    for (const invalid of ["{nonsense", '"text"', "null"]) {
      store.set("recent_products", invalid);
      recordProduct(product("new"));
      expect(stored("recent_products")).toHaveLength(1);
    }
  });

  it("are not kept when storage is blocked", () => {
    vi.stubGlobal("localStorage", undefined);
    expect(() => recordProduct(product("a"))).not.toThrow();
  });
});

describe("passes to compare", () => {
  it("are at most four, and a second choice removes a pass", () => {
    expect([1, 2, 3, 4, 5].map(toggleComparedPlan)).toEqual([true, true, true, true, false]);
    expect(stored("compare_plans")).toEqual([1, 2, 3, 4]);
    expect(toggleComparedPlan(2)).toBe(true);
    expect(stored("compare_plans")).toEqual([1, 3, 4]);
  });
});
