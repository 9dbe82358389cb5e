import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LIST_SIZE, parseListQuery, parseSearchQuery, productId } from "@/lib/catalog/listing/contract";

describe("parseListQuery", () => {
  it("returns the defaults for missing and invalid parameters", () => {
    const defaults = { sort: "recommend", page: 1, size: LIST_SIZE };
    expect(parseListQuery({})).toEqual({ list: defaults, plain: true });
    expect(parseListQuery({ sort: "cheapest", page: "-1", size: "5000" })).toEqual({
      list: defaults,
      plain: true,
    });
    expect(parseListQuery({ sort: "", page: "" }).plain).toBe(true);
  });

  it("marks a sorted or paged list as not plain", () => {
    expect(parseListQuery({ sort: "price_asc" })).toMatchObject({
      list: { sort: "price_asc" },
      plain: false,
    });
    expect(parseListQuery({ sort: ["price_desc", "price_asc"] }).list.sort).toBe("price_desc");
    expect(parseListQuery({ page: "2" })).toMatchObject({ list: { page: 2 }, plain: false });
  });
});

describe("parseSearchQuery", () => {
  it("is blank without a keyword and a filter", () => {
    for (const query of [{}, { q: "" }, { q: "  \u3000 " }, { q: " ", sort: "price_asc", in_stock: "false" }])
      expect(parseSearchQuery(query).blank).toBe(true);
    expect(parseSearchQuery({ q: " voice " })).toMatchObject({
      blank: false,
      filtered: 0,
      search: { keyword: "voice", size: LIST_SIZE },
    });
  });

  it("counts the filters and drops invalid ones", () => {
    const { search, filtered, blank } = parseSearchQuery({
      category: "writing",
      vip_type: "decade",
      in_stock: "true",
      price_from: "x",
      price_to: "9.9",
    });
    expect({ filtered, blank }).toEqual({ filtered: 3, blank: false });
    expect(search).toMatchObject({ category: "writing", in_stock: true, price_to: 9.9, keyword: "" });
    expect(search.vip_type).toBeUndefined();
    expect(search.price_from).toBeUndefined();
  });

  it("orders the two prices", () => {
    const prices = { price_from: 2.5, price_to: 9 };
    expect(parseSearchQuery({ price_from: "9", price_to: "2.5" }).search).toMatchObject(prices);
    expect(parseSearchQuery({ price_from: "2.5", price_to: "9" }).search).toMatchObject(prices);
  });

  it("reads grouped thousands as thousands and drops what could be two amounts", () => {
    expect(
      parseSearchQuery({ price_from: "1,000", price_to: "１２００", price_per_day_to: "$3,50" }).search,
    ).toMatchObject({ price_from: 1000, price_to: 1200, price_per_day_to: 3.5 });
    const { search, filtered } = parseSearchQuery({ price_from: "1.000", price_to: "1,00,000" });
    expect([search.price_from, search.price_to, filtered]).toEqual([undefined, undefined, 0]);
  });

  it("accepts any text", () => {
    const anyQuery = fc.dictionary(
      fc.constantFrom(
        "q",
        "sort",
        "category",
        "vip_type",
        "in_stock",
        "price_from",
        "price_to",
        "page",
        "size",
      ),
      fc.oneof(fc.string({ unit: "binary" }), fc.array(fc.string()), fc.constant(undefined)),
    );
    fc.assert(
      fc.property(anyQuery, (query) => {
        expect(parseSearchQuery(query).search.keyword.length).toBeLessThanOrEqual(200);
        expect(parseListQuery(query).list.size).toBe(LIST_SIZE);
      }),
    );
  });
});

describe("productId", () => {
  it("parses a number, and returns 0 for anything else", () => {
    expect(productId("1001")).toBe(1001);
    for (const text of ["", "-1", "1e3", "1.5", "abc", "99999999999", "4294967296", "0", "01001"])
      expect(productId(text)).toBe(0);
  });
});
