import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeDatabase } from "@/db/client";
import { type CreatedProduct, createCategory, createProduct, type PlanInput } from "@/db/factories/catalog";
import { ListProductsInput, ProductList, SearchProductsInput } from "@/lib/catalog/contract";
import { getHomePage } from "@/lib/catalog/listing/get-home-page";
import { listCategories } from "@/lib/catalog/listing/list-categories";
import { listDiscountedProducts, listHotProducts, listProducts } from "@/lib/catalog/listing/list-products";
import { searchProducts } from "@/lib/catalog/search/search-products";
import type { Locale } from "@/lib/platform/i18n/locales";
import { rounds } from "@/tests/setup/rounds";

afterAll(closeDatabase);

const list = (input: object, locale: Locale = "en") => listProducts(ListProductsInput.parse(input), locale);
const search = (keyword: string, input: object = {}, locale: Locale = "en") =>
  searchProducts(SearchProductsInput.parse({ keyword, ...input }), locale);

describe("product lists", () => {
  let category: string;
  let products: CreatedProduct[];
  const slugs = ({ items }: ProductList) => items.map(({ slug }) => slug.replace(/-.*/, ""));
  const listCategory = (input: object) => list({ category, ...input });

  beforeAll(async () => {
    category = await createCategory({ slug: "sorted" });
    const create = (slug: string, sortNum: number, plans: PlanInput[]) =>
      createProduct({ slug: `${slug}-sorted`, sortNum, plans, category });
    products = [
      await create("alpha", 10, [
        { type: "day", priceCents: 300, keys: 1 },
        { type: "month", priceCents: 2000, keys: 1 },
      ]),
      await create("beta", 30, [{ type: "week", priceCents: 700, keys: 1 }]),
      await create("gamma", 20, [{ type: "lifetime", priceCents: 9900, keys: 1 }]),
      await create("delta", 20, [
        { type: "day", priceCents: 0, keys: 1 },
        { type: "year", priceCents: 7300, keys: 1 },
      ]),
      await create("epsilon", 5, [{ type: "week", priceCents: 100 }]),
      await create("zeta", 1, [{ type: "month", priceCents: 1500, availability: "pre_order" }]),
    ];
  });

  const cases: [object, string][] = [
    [{}, "beta gamma delta alpha epsilon zeta"],
    [{ sort: "price_asc" }, "delta epsilon alpha beta zeta gamma"],
    [{ sort: "price_desc" }, "gamma zeta beta alpha epsilon delta"],
    [{ sort: "price_per_day" }, "delta epsilon zeta beta alpha gamma"],
    [{ vip_type: "month" }, "alpha zeta"],
    [{ vip_type: "lifetime" }, "gamma"],
    [{ in_stock: true }, "beta gamma delta alpha"],
    [{ in_stock: false }, "beta gamma delta alpha epsilon zeta"],
    [{ price_from: 10 }, "gamma delta alpha zeta"],
    [{ price_from: 7, price_to: 7 }, "beta"],
    [{ price_to: 1 }, "delta epsilon"],
    [{ price_from: 7.005 }, "gamma delta alpha zeta"],
    [{ price_per_day_to: 0.2 }, "delta epsilon"],
    [{ price_from: 5, price_to: 4 }, ""],
    [{ price_from: 1e6 }, ""],
    [{ category: "other" }, ""],
    [{ category: "sorted' or 1=1" }, ""],
    [{ vip_type: "year", sort: "price_asc", in_stock: true }, "delta"],
  ];
  it.each(cases)("filtered by %j show: %s", async (input, expected) => {
    const result = ProductList.parse(await listCategory(input));
    expect(slugs(result).join(" ")).toBe(expected);
    expect(result).toMatchObject({ total: result.items.length, total_exact: true });
  });

  it("show the plan that matches the filter", async () => {
    expect((await listCategory({ vip_type: "month" })).items[0]).toMatchObject({
      pass_type: "month",
      price: 20,
      vip_id: products[0]!.plans[1]!.id,
    });
    expect((await listCategory({ price_from: 10, price_to: 30 })).items[0]).toMatchObject({
      pass_type: "month",
      price: 20,
    });
  });

  it("are split into pages without gaps or repetition, in every sort order", async () => {
    for (const sort of ["recommend", "price_asc", "price_desc", "price_per_day"]) {
      const allItems = await listCategory({ sort, size: 100 });
      const pages = await Promise.all([1, 2, 3, 4].map((page) => listCategory({ sort, page, size: 2 })));
      expect(pages.map(({ items }) => items.length)).toEqual([2, 2, 2, 0]);
      expect(pages.every(({ total }) => total === 6)).toBe(true);
      expect(pages.flatMap(slugs)).toEqual(slugs(allItems));
    }
  });

  it("list categories with their number of products, without empty ones", async () => {
    await createCategory({ slug: "empty" });
    const categories = await listCategories("en");
    expect(categories.find((result) => result.category === "sorted")).toEqual({
      category: "sorted",
      category_name: "Tools",
      total: 6,
    });
    expect(categories.some((result) => result.category === "empty")).toBe(false);
  });

  it("show hot products only while sellable, and deals by their end", async () => {
    const hotProduct = await createProduct({ sortNum: 10_000, plans: [{ keys: 1 }] });
    const soldOut = await createProduct({ sortNum: 10_001, plans: [{ keys: 0 }] });
    const result = await listHotProducts("en");
    expect(result.items[0]?.product_id).toBe(hotProduct.id);
    expect(result.items.some(({ product_id }) => product_id === soldOut.id)).toBe(false);
    expect(result.total).toBe(result.items.length);

    const deal = (endsIn: string, override: PlanInput = {}) =>
      createProduct({
        plans: [
          { type: "day", priceCents: 100, keys: 1 },
          { type: "month", priceCents: 900, keys: 1, deal: { priceCents: 500, endsIn }, ...override },
        ],
      });
    const endsLater = await deal("2 hours");
    const endsSooner = await deal("1 hour");
    await deal("-1 hour");
    await deal("1 minute", { keys: 0 });
    await deal("1 minute", { deal: { priceCents: 500, claimed: 10 } });
    const { items } = await listDiscountedProducts("en");
    const added = items.filter(({ product_id }) => [endsLater.id, endsSooner.id].includes(product_id));
    expect(
      added.map(({ product_id, pass_type, price, list_price }) => [product_id, pass_type, price, list_price]),
    ).toEqual([
      [endsSooner.id, "month", 5, 9],
      [endsLater.id, "month", 5, 9],
    ]);
    expect(
      items.every((item) => item.deal && item.deal.items_left > 0 && item.stock_state !== "sold_out"),
    ).toBe(true);
    const endTimes = items.map((item) => Date.parse(item.deal!.ends_at));
    expect(endTimes).toEqual([...endTimes].sort((a, b) => a - b));

    const home = await getHomePage("en");
    expect(home.featured).toHaveLength(6);
    expect(home.featured[0]?.product_id).toBe(hotProduct.id);
    expect(home.deals).toEqual(items.slice(0, 4));
    expect(home.free.length).toBeGreaterThan(0);
    expect(home.free.every(({ price }) => price === 0)).toBe(true);
    expect(home.categories).toEqual(await listCategories("en"));

    const before = home.stats;
    await createProduct({ vendor: "A unique vendor", plans: [{ type: "day" }, { type: "week" }] });
    expect((await getHomePage("ja")).stats).toEqual({
      products: before.products + 1,
      vendors: before.vendors + 1,
      plans: before.plans + 2,
      delivered: 0,
    });
  });
});

describe("product search", () => {
  beforeAll(async () => {
    const music = await createCategory({ names: { en: "Sound", zh: "声音", ja: "音声" } });
    const zh = { name: "海鸟配音", tagline: "用授权的声音朗读。" };
    const ja = { name: "ウミスズメ", tagline: "許諾を得た声でガイドを朗読します。" };
    await createProduct({
      slug: "murre",
      vendor: "Café Ostrél",
      sortNum: 5,
      category: music,
      texts: { en: { name: "Murre Voice", tagline: "Reads 100% of a_b \\ aloud." }, zh, ja },
      plans: [
        { type: "week", keys: 1 },
        { type: "day", days: 3, keys: 1 },
      ],
    });
    await createProduct({
      slug: "weekly",
      sortNum: 1,
      texts: { en: { name: "Weekly Murre", tagline: "Plans." } },
      plans: [{ type: "month", keys: 1 }],
    });
    await createProduct({
      slug: "plain",
      sortNum: 9,
      texts: { en: { name: "Plain", tagline: "Goes with Murre." } },
      plans: [{ type: "year", keys: 1 }],
    });
  });
  const find = async (keyword: string, locale: Locale = "en") =>
    (await search(keyword, { size: 100 }, locale)).items
      .map(({ slug }) => slug)
      .filter((slug) => ["murre", "weekly", "plain"].includes(slug));

  const cases: [string, string[]][] = [
    ["murre", ["murre", "weekly", "plain"]],
    ["MURRE voice", ["murre"]],
    ["voice, murre!", ["murre"]],
    ["ｍｕｒｒｅ　ｖｏｉｃｅ", ["murre"]],
    ["ostrel cafe", ["murre"]],
    ["OSTRÉL", ["murre"]],
    ["配音", ["murre"]],
    ["声音", ["murre"]],
    ["ウミスズメ", ["murre"]],
    ["ガイド", ["murre"]],
    ["カイト", []],
    ["murre voice sound 音声", ["murre"]],
    ["100%", ["murre"]],
    ["a_b", ["murre"]],
    ["\\", []],
    ["murre week", ["weekly", "murre", "plain"]], // the description of the last one contains "week"
    ["murre 周卡", ["murre"]],
    ["murre 週間パス", ["murre"]],
    ["murre 3 days", ["murre"]],
    ["murre 3日パス", ["murre"]],
    ["murre monthly pass", ["weekly"]],
    ["murre 年卡", ["plain"]],
  ];
  it.each(cases)("finds by %s", async (keyword, expected) => {
    for (const locale of ["en", "zh", "ja"] as const) expect(await find(keyword, locale)).toEqual(expected);
  });

  it("marks products that match only some of the words as a guess", async () => {
    expect(await search("murre absent")).toMatchObject({ match: "closest" });
    expect(await search("murre voice")).toMatchObject({ match: "exact" });
  });

  it("without a keyword equals the list", async () => {
    for (const keyword of ["", "   ", "\u3000"])
      expect(await search(keyword)).toEqual({ ...(await list({})), corrected: null, match: "exact" });
  });

  it("applies filters", async () => {
    const result = await search("murre", { vip_type: "year" });
    expect(result.items.map(({ slug }) => slug)).toEqual(["plain"]);
  });

  it("accepts any text (random keywords)", async () => {
    const anyText = fc.oneof(
      fc.string({ unit: "binary", maxLength: 200 }),
      fc.string({ unit: "grapheme", maxLength: 40 }),
      fc
        .array(
          fc.constantFrom(
            "%",
            "_",
            "\\",
            "'",
            '"',
            "(",
            ")",
            ":",
            "*",
            "&",
            "|",
            "!",
            "<->",
            "\0",
            "\ud800",
            "\udc00",
            "\u200b",
            "日",
            "パス",
            " ",
            "7 days",
            "{}",
            "$1",
            "--",
            ";",
          ),
          { maxLength: 20 },
        )
        .map((parts) => parts.join("")),
    );
    await fc.assert(
      fc.asyncProperty(anyText, fc.constantFrom<Locale>("en", "zh", "ja"), async (keyword, locale) => {
        const parsed = SearchProductsInput.safeParse({ keyword });
        if (!parsed.success) return;
        const result = ProductList.parse(await searchProducts(parsed.data, locale));
        expect(result.items.length).toBeLessThanOrEqual(10);
      }),
      { numRuns: rounds(500, 40), seed: 20261120 },
    );
  });
});
