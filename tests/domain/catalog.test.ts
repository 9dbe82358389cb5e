import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { client, closeDatabase } from "@/db/client";
import { createCategory, createKeys, createProduct, type PlanInput } from "@/db/factories/catalog";
import { ProductDetail, SearchProductsInput } from "@/lib/catalog/contract";
import { findProductPage, getProductPage } from "@/lib/catalog/product/find-product-page";
import { searchProducts } from "@/lib/catalog/search/search-products";
import { isShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { pricePerDay } from "@/lib/platform/money";

afterAll(closeDatabase);

const getDetail = (slug: string, locale: Locale = "en") => getProductPage({ slug, locale });
const createWithPlans = (plans: PlanInput[]) => createProduct({ plans });
const search = (keyword: string, input: object = {}, locale: Locale = "en") =>
  searchProducts(SearchProductsInput.parse({ keyword, ...input }), locale);

describe("the price of a plan", () => {
  const deals: [string, NonNullable<PlanInput["deal"]>, boolean][] = [
    ["running", {}, true],
    ["one unit left", { quantity: 10, claimed: 9 }, true],
    ["no unit left", { quantity: 10, claimed: 10 }, false],
    ["an end in the past", { endsIn: "-1 second" }, false],
  ];
  it.each(deals)("with a deal: %s", async (_, deal, isRunning) => {
    const { slug } = await createWithPlans([
      { type: "month", priceCents: 3000, listPriceCents: 3900, keys: 6, deal: { priceCents: 2000, ...deal } },
    ]);
    const [option] = (await getDetail(slug)).vip_options;
    expect(option).toMatchObject(
      isRunning
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
    if (isRunning) expect(option?.deal).toMatchObject({ quantity: 10, items_left: 10 - (deal.claimed ?? 0) });
  });

  it("has the refund reason of its pass type, and no price per day for free and lifetime passes", async () => {
    const { slug } = await createWithPlans([
      { type: "day", priceCents: 0, keys: 1 },
      { type: "week", priceCents: 900, keys: 1 },
      { type: "year", priceCents: 36500, keys: 1 },
      { type: "lifetime", priceCents: 9900, keys: 1 },
    ]);
    const view = await getDetail(slug);
    expect(
      view.vip_options.map(({ price, price_per_day, refund }) => [price, price_per_day, refund.reason]),
    ).toEqual([
      [0, null, "free"],
      [9, 1.29, "short_pass"],
      [365, 1, "refundable"],
      [99, null, "refundable"],
    ]);
    expect(view).toMatchObject({ price: 0, pass_type: "day", stock: 4 });
  });

  it("per day is equal in lists, page and rule for 40 random plans", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 50, max: 50_000 }),
        fc.integer({ min: 1, max: 400 }),
        async (priceCents, days) => {
          const product = await createWithPlans([{ type: "day", days, priceCents, keys: 1 }]);
          const view = await getDetail(product.slug);
          const expectedPerDay = pricePerDay(priceCents, days)! / 100;
          expect(view.price_per_day).toBe(expectedPerDay);
          const results = await search(product.name, {
            price_per_day_to: expectedPerDay,
            price_from: priceCents / 100,
            price_to: priceCents / 100,
          });
          expect(results.items).toMatchObject([
            { product_id: product.id, price: priceCents / 100, price_per_day: expectedPerDay },
          ]);
          const cheaper = await search(product.name, {
            price_per_day_to: Math.max(expectedPerDay - 0.01, 0),
          });
          expect(cheaper.total).toBe(0);
        },
      ),
      { numRuns: 40, seed: 20261120 },
    );
  });
});

describe("stock", () => {
  const states: [number, PlanInput["availability"], string, number][] = [
    [0, "in_stock", "sold_out", 0],
    [1, "in_stock", "low", 1],
    [5, "in_stock", "low", 5],
    [6, "in_stock", "in_stock", 6],
    [0, "pre_order", "pre_order", 0],
    [6, "paused", "sold_out", 0],
  ];
  it.each(states)("with %i keys, %s: %s", async (keys, availability, state, stock) => {
    const product = await createWithPlans([{ keys, availability }]);
    const view = await getDetail(product.slug);
    expect(view.vip_options[0]).toMatchObject({ stock_state: state, stock });
    expect(view).toMatchObject({ stock_state: state, stock });
    expect((await search(product.name)).items[0]).toMatchObject({ stock_state: state, stock });
    if (availability === "pre_order") expect(view.vip_options[0]?.releases_at).toMatch(/Z$/);
  });

  it("decides which plan is shown: the cheapest sellable one, the same in list and page", async () => {
    const cases: [PlanInput[], number][] = [
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
      const product = await createWithPlans(plans);
      const {
        vip_options: _,
        includes: _i,
        languages: _l,
        server_time: _t,
        seller: _s,
        ...item
      } = await getDetail(product.slug);
      expect(item.price).toBe(price);
      expect((await search(product.name)).items).toEqual([item]);
    }
  });

  it("counts available keys only, up to 1000", async () => {
    const product = await createWithPlans([{ keys: 4 }]);
    await client()`update keys set state = 'revoked' where id in (select id from keys where plan_id = ${product.plans[0]!.id} limit 3)`;
    expect(await getDetail(product.slug)).toMatchObject({ stock: 1, stock_state: "low" });
    await createKeys(product.plans[0]!.id, 1200);
    expect(await getDetail(product.slug)).toMatchObject({ stock: 1000, stock_state: "in_stock" });
  });
});

describe("languages", () => {
  it("fall back to English and name the language shown", async () => {
    const zh = { name: "工具箱", tagline: "一件工具。" };
    const product = await createProduct({
      texts: { en: { name: "Toolbox Nine" }, zh },
      category: await createCategory({ names: { en: "Boxes", zh: "箱子" } }),
    });
    expect(await getDetail(product.slug, "zh")).toMatchObject({
      language: "zh",
      product_name: "工具箱",
      category_name: "箱子",
      languages: ["en", "zh"],
    });
    expect(await getDetail(product.slug, "ja")).toMatchObject({
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

  it("fall back in activation guides too", async () => {
    const { slug, id } = await createProduct();
    const activation = { url: null, steps: { en: ["Go."], ja: ["行く。"] } };
    await client()`update products set activation = ${JSON.stringify(activation)}::jsonb where id = ${id}`;
    expect((await getDetail(slug, "ja")).vip_options[0]?.activation).toEqual({
      url: null,
      steps: ["行く。"],
    });
    expect((await getDetail(slug, "zh")).vip_options[0]?.activation).toEqual({ url: null, steps: ["Go."] });
  });
});

describe("a product page", () => {
  it("matches the contract, by slug and by id", async () => {
    const { slug, id } = await createProduct();
    const pageBySlug = ProductDetail.parse(await getDetail(slug));
    expect(await getProductPage({ id, locale: "en" })).toEqual({
      ...pageBySlug,
      server_time: expect.any(String),
    });
    expect(pageBySlug.product_image).toBe(`/admin/product-image/${id}?v=placeholder`);
  });

  it("does not exist for unknown products, unlisted products and those without plans", async () => {
    const unlisted = await createProduct({ listed: false });
    const withoutPlans = await createProduct({ plans: [] });
    for (const slug of ["nowhere", "", "\0", "%", unlisted.slug, withoutPlans.slug])
      expect(await findProductPage({ slug, locale: "en" })).toBeNull();
    const error = await getProductPage({ id: 2_147_483_647, locale: "en" }).catch(
      (caught: unknown) => caught,
    );
    expect(isShopError(error, "product_unknown")).toBe(true);
  });
});
