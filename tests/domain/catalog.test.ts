import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { client, closeDatabase } from "@/db/client";
import {
  createCategory,
  createKeys,
  createProduct,
  type GivenPlan,
  type MadeProduct,
} from "@/db/factories/catalog";
import { ListProductsInput, ProductDetail, ProductList, SearchProductsInput } from "@/lib/catalog/contract";
import {
  findProductPage,
  getHomePage,
  getProductPage,
  listCategories,
  listDiscountedProducts,
  listHotProducts,
  listProducts,
  searchProducts,
} from "@/lib/catalog/queries";
import { isShopError } from "@/lib/errors";
import type { Locale } from "@/lib/i18n";
import { pricePerDay } from "@/lib/money";

afterAll(closeDatabase);

const detail = (slug: string, locale: Locale = "en") => getProductPage({ slug, locale });
const withPlans = (plans: GivenPlan[]) => createProduct({ plans });
const list = (input: object, locale: Locale = "en") => listProducts(ListProductsInput.parse(input), locale);
const search = (keyword: string, input: object = {}, locale: Locale = "en") =>
  searchProducts(SearchProductsInput.parse({ keyword, ...input }), locale);

describe("the price of a plan", () => {
  const deals: [string, NonNullable<GivenPlan["deal"]>, boolean][] = [
    ["a running deal", {}, true],
    ["its last unit", { quantity: 10, claimed: 9 }, true],
    ["no unit left", { quantity: 10, claimed: 10 }, false],
    ["an end in the past", { endsIn: "-1 second" }, false],
  ];
  it.each(deals)("with %s", async (_, deal, runs) => {
    const { slug } = await withPlans([
      { type: "month", priceCents: 3000, listPriceCents: 3900, keys: 6, deal: { priceCents: 2000, ...deal } },
    ]);
    const [option] = (await detail(slug)).vip_options;
    expect(option).toMatchObject(
      runs
        ? {
            price: 20,
            list_price: 30,
            price_per_day: 0.67,
            refund: { refundable: false, reason: "limited_time" },
          }
        : {
            price: 30,
            list_price: 39,
            price_per_day: 1,
            deal: null,
            refund: { refundable: true, amount: 30, days: 15, until: null },
          },
    );
    if (runs) expect(option?.deal).toMatchObject({ quantity: 10, items_left: 10 - (deal.claimed ?? 0) });
  });

  it("is free, short, refundable or endless as the refund rule says", async () => {
    const { slug } = await withPlans([
      { type: "day", priceCents: 0, keys: 1 },
      { type: "week", priceCents: 900, keys: 1 },
      { type: "year", priceCents: 36500, keys: 1 },
      { type: "lifetime", priceCents: 9900, keys: 1 },
    ]);
    const view = await detail(slug);
    expect(
      view.vip_options.map(({ price, price_per_day, refund }) => [price, price_per_day, refund.reason]),
    ).toEqual([
      [0, null, "free"],
      [9, 1.29, "short_pass"],
      [365, 1, "refundable"],
      [99, null, "refundable"],
    ]);
    expect(view).toMatchObject({ price: 0, vip_type: "day", stock: 4 });
  });

  it("agrees between lists, page and the rule, for 40 random plans", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 50_000 }),
        fc.integer({ min: 1, max: 400 }),
        async (priceCents, days) => {
          const product = await withPlans([{ type: "day", days, priceCents, keys: 1 }]);
          const view = await detail(product.slug);
          const perDay = pricePerDay(priceCents, days)! / 100;
          expect(view.price_per_day).toBe(perDay);
          const found = await search(product.name, {
            price_per_day_to: perDay,
            price_from: priceCents / 100,
            price_to: priceCents / 100,
          });
          expect(found.items).toMatchObject([
            { product_id: product.id, price: priceCents / 100, price_per_day: perDay },
          ]);
          const cheaper = await search(product.name, {
            price_per_day_to: Math.max(perDay - 0.01, 0),
          });
          expect(cheaper.total).toBe(0);
        },
      ),
      { numRuns: 40, seed: 20261120 },
    );
  });
});

describe("stock", () => {
  const states: [number, GivenPlan["availability"], string, number][] = [
    [0, "in_stock", "sold_out", 0],
    [1, "in_stock", "low", 1],
    [5, "in_stock", "low", 5],
    [6, "in_stock", "in_stock", 6],
    [0, "pre_order", "pre_order", 0],
    [6, "paused", "sold_out", 0],
  ];
  it.each(states)("of %i keys, %s: %s", async (keys, availability, state, stock) => {
    const product = await withPlans([{ keys, availability }]);
    const view = await detail(product.slug);
    expect(view.vip_options[0]).toMatchObject({ stock_state: state, stock });
    expect(view).toMatchObject({ stock_state: state, stock });
    expect((await search(product.name)).items[0]).toMatchObject({ stock_state: state, stock });
    if (availability === "pre_order") expect(view.vip_options[0]?.releases_at).toMatch(/Z$/);
  });

  it("shows the cheapest plan that can be had, the same in list and page", async () => {
    const cases: [GivenPlan[], number][] = [
      [
        [
          { type: "day", priceCents: 100 },
          { type: "week", priceCents: 500, keys: 2 },
        ],
        5,
      ],
      [
        [
          { type: "day", priceCents: 100, availability: "pre_order" },
          { type: "week", priceCents: 500, keys: 2 },
        ],
        5,
      ],
      [
        [
          { type: "day", priceCents: 100 },
          { type: "week", priceCents: 500, availability: "pre_order" },
        ],
        5,
      ],
      [
        [
          { type: "day", priceCents: 100 },
          { type: "week", priceCents: 50 },
        ],
        0.5,
      ],
      [
        [
          { type: "day", priceCents: 300, keys: 1 },
          { type: "week", priceCents: 500, keys: 1, deal: { priceCents: 200 } },
        ],
        2,
      ],
      [
        [
          { type: "day", priceCents: 100, keys: 1, listed: false },
          { type: "week", priceCents: 500, keys: 1 },
        ],
        5,
      ],
    ];
    for (const [plans, price] of cases) {
      const product = await withPlans(plans);
      const {
        vip_options: _,
        product_description: _d,
        includes: _i,
        languages: _l,
        server_time: _t,
        ...item
      } = await detail(product.slug);
      expect(item.price).toBe(price);
      expect((await search(product.name)).items).toEqual([item]);
    }
  });

  it("counts only keys that are available", async () => {
    const product = await withPlans([{ keys: 4 }]);
    await client()`update keys set state = 'revoked' where id in (select id from keys where plan_id = ${product.plans[0]!.id} limit 3)`;
    expect(await detail(product.slug)).toMatchObject({ stock: 1, stock_state: "low" });
    await createKeys(product.plans[0]!.id, 1200);
    expect(await detail(product.slug)).toMatchObject({ stock: 1000, stock_state: "in_stock" });
  });
});

describe("languages", () => {
  it("fall back to English and say so", async () => {
    const zh = { name: "工具箱", tagline: "一件工具。" };
    const product = await createProduct({
      texts: { en: { name: "Toolbox Nine" }, zh },
      category: await createCategory({ names: { en: "Boxes", zh: "箱子" } }),
    });
    expect(await detail(product.slug, "zh")).toMatchObject({
      language: "zh",
      product_name: "工具箱",
      category_name: "箱子",
      languages: ["en", "zh"],
    });
    expect(await detail(product.slug, "ja")).toMatchObject({
      language: "en",
      product_name: "Toolbox Nine",
      category_name: "Boxes",
    });
    for (const [locale, language] of [
      ["en", "en"],
      ["zh", "zh"],
      ["ja", "en"],
    ] as const)
      expect((await search("toolbox nine", {}, locale)).items).toMatchObject([{ language }]);
  });

  it("let an activation guide fall back too", async () => {
    const { slug, id } = await createProduct();
    const activation = { url: null, steps: { en: ["Go."], ja: ["行く。"] } };
    await client()`update products set activation = ${JSON.stringify(activation)}::jsonb where id = ${id}`;
    expect((await detail(slug, "ja")).vip_options[0]?.activation).toEqual({ url: null, steps: ["行く。"] });
    expect((await detail(slug, "zh")).vip_options[0]?.activation).toEqual({ url: null, steps: ["Go."] });
  });
});

describe("a product page", () => {
  it("has the contract's shape, by slug and by number", async () => {
    const { slug, id } = await createProduct();
    const bySlug = ProductDetail.parse(await detail(slug));
    expect(await getProductPage({ id, locale: "en" })).toEqual({
      ...bySlug,
      server_time: expect.any(String),
    });
    expect(bySlug.product_image).toBe(`/admin/product-image/${id}?v=${slug.slice(0, 24)}`);
  });

  it("is missing for what is unknown, not listed or without a plan", async () => {
    const hidden = await createProduct({ listed: false });
    const empty = await createProduct({ plans: [] });
    for (const slug of ["nowhere", "", "\0", "%", hidden.slug, empty.slug])
      expect(await findProductPage({ slug, locale: "en" })).toBeNull();
    const error = await getProductPage({ id: 2_147_483_647, locale: "en" }).catch(
      (thrown: unknown) => thrown,
    );
    expect(isShopError(error, "product_unknown")).toBe(true);
  });
});

describe("lists", () => {
  let category: string;
  let made: MadeProduct[];
  const slugs = ({ items }: ProductList) => items.map(({ slug }) => slug.replace(/-.*/, ""));
  const of = (input: object) => list({ category, ...input });

  beforeAll(async () => {
    category = await createCategory({ slug: "sorted" });
    const make = (slug: string, sortNum: number, plans: GivenPlan[]) =>
      createProduct({ slug: `${slug}-sorted`, sortNum, plans, category });
    made = [
      await make("alpha", 10, [
        { type: "day", priceCents: 300, keys: 1 },
        { type: "month", priceCents: 2000, keys: 1 },
      ]),
      await make("beta", 30, [{ type: "week", priceCents: 700, keys: 1 }]),
      await make("gamma", 20, [{ type: "lifetime", priceCents: 9900, keys: 1 }]),
      await make("delta", 20, [
        { type: "day", priceCents: 0, keys: 1 },
        { type: "year", priceCents: 7300, keys: 1 },
      ]),
      await make("epsilon", 5, [{ type: "week", priceCents: 100 }]),
      await make("zeta", 1, [{ type: "month", priceCents: 1500, availability: "pre_order" }]),
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
    [{ price_from: 1e15 }, ""],
    [{ category: "other" }, ""],
    [{ category: "sorted' or 1=1" }, ""],
    [{ vip_type: "year", sort: "price_asc", in_stock: true }, "delta"],
  ];
  it.each(cases)("%j: %s", async (input, expected) => {
    const found = ProductList.parse(await of(input));
    expect(slugs(found).join(" ")).toBe(expected);
    expect(found).toMatchObject({ total: found.items.length, total_exact: true });
  });

  it("show the plan that a filter means", async () => {
    expect((await of({ vip_type: "month" })).items[0]).toMatchObject({
      vip_type: "month",
      price: 20,
      vip_id: made[0]!.plans[1]!.id,
    });
    expect((await of({ price_from: 10, price_to: 30 })).items[0]).toMatchObject({
      vip_type: "month",
      price: 20,
    });
  });

  it("cut into pages that together are the whole, for every sort", async () => {
    for (const sort of ["recommend", "price_asc", "price_desc", "price_per_day"]) {
      const whole = await of({ sort, size: 100 });
      const pages = await Promise.all([1, 2, 3, 4].map((page) => of({ sort, page, size: 2 })));
      expect(pages.map(({ items }) => items.length)).toEqual([2, 2, 2, 0]);
      expect(pages.every(({ total }) => total === 6)).toBe(true);
      expect(pages.flatMap(slugs)).toEqual(slugs(whole));
    }
  });

  it("name categories with what they hold", async () => {
    await createCategory({ slug: "holds-nothing" });
    const categories = await listCategories("en");
    expect(categories.find((found) => found.category === "sorted")).toEqual({
      category: "sorted",
      category_name: "Tools",
      total: 6,
    });
    expect(categories.some((found) => found.category === "holds-nothing")).toBe(false);
  });

  it("show what is hot only while it can be had, and deals by their end", async () => {
    const hot = await createProduct({ sortNum: 10_000, plans: [{ keys: 1 }] });
    const gone = await createProduct({ sortNum: 10_001, plans: [{ keys: 0 }] });
    const found = await listHotProducts("en");
    expect(found.items[0]?.product_id).toBe(hot.id);
    expect(found.items.some(({ product_id }) => product_id === gone.id)).toBe(false);
    expect(found.total).toBe(found.items.length);

    const deal = (endsIn: string, more: GivenPlan = {}) =>
      createProduct({
        plans: [
          { type: "day", priceCents: 100, keys: 1 },
          { type: "month", priceCents: 900, keys: 1, deal: { priceCents: 500, endsIn }, ...more },
        ],
      });
    const later = await deal("2 hours");
    const sooner = await deal("1 hour");
    await deal("-1 hour");
    await deal("1 minute", { keys: 0 });
    await deal("1 minute", { deal: { priceCents: 500, claimed: 10 } });
    const { items } = await listDiscountedProducts("en");
    const own = items.filter(({ product_id }) => [later.id, sooner.id].includes(product_id));
    expect(
      own.map(({ product_id, vip_type, price, list_price }) => [product_id, vip_type, price, list_price]),
    ).toEqual([
      [sooner.id, "month", 5, 9],
      [later.id, "month", 5, 9],
    ]);
    expect(
      items.every((item) => item.deal && item.deal.items_left > 0 && item.stock_state !== "sold_out"),
    ).toBe(true);
    const ends = items.map((item) => Date.parse(item.deal!.ends_at));
    expect(ends).toEqual([...ends].sort((a, b) => a - b));

    const home = await getHomePage("en");
    expect(home.featured).toHaveLength(6);
    expect(home.featured[0]?.product_id).toBe(hot.id);
    expect(home.deals).toEqual(items.slice(0, 6));
    expect(home.free.length).toBeGreaterThan(0);
    expect(home.free.every(({ price }) => price === 0)).toBe(true);
    expect(home.categories).toEqual(await listCategories("en"));
  });
});

describe("search", () => {
  beforeAll(async () => {
    const music = await createCategory({ names: { en: "Sound", zh: "声音", ja: "音声" } });
    const zh = { name: "海鸟配音", tagline: "用授权的声音朗读。" };
    const ja = { name: "ウミスズメ", tagline: "許諾を得た声でガイドを朗読します。" };
    await createProduct({
      slug: "murre",
      maker: "Café Ostrél",
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
    ["\\", ["murre"]],
    ["murre week", ["weekly", "murre"]],
    ["murre 周卡", ["murre"]],
    ["murre 週間パス", ["murre"]],
    ["murre 3 days", ["murre"]],
    ["murre 3日パス", ["murre"]],
    ["murre monthly pass", ["weekly"]],
    ["murre 年卡", ["plain"]],
    ["murre absent", []],
  ];
  it.each(cases)("%s", async (keyword, expected) => {
    for (const locale of ["en", "zh", "ja"] as const) expect(await find(keyword, locale)).toEqual(expected);
  });

  it("without a word is the list itself", async () => {
    for (const keyword of ["", "   ", "\u3000"]) expect(await search(keyword)).toEqual(await list({}));
  });

  it("keeps filters and sorts", async () => {
    const found = await search("murre", { vip_type: "year" });
    expect(found.items.map(({ slug }) => slug)).toEqual(["plain"]);
  });

  it("takes any text at all (500 random keywords)", async () => {
    const odd = fc.oneof(
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
      fc.asyncProperty(odd, fc.constantFrom<Locale>("en", "zh", "ja"), async (keyword, locale) => {
        const parsed = SearchProductsInput.safeParse({ keyword });
        if (!parsed.success) return;
        const found = ProductList.parse(await searchProducts(parsed.data, locale));
        expect(found.items.length).toBeLessThanOrEqual(10);
      }),
      { numRuns: 500, seed: 20261120 },
    );
  });
});
