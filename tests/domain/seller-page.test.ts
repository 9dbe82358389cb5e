import { sql } from "drizzle-orm";
import { afterAll, expect, it } from "vitest";
import { client, closeDatabase, db } from "@/db/client";
import { createCategory, createProduct } from "@/db/factories/catalog";
import { createMerchant } from "@/db/factories/merchants";
import { setReviews } from "@/db/factories/reviews";
import { SearchProductsInput } from "@/lib/catalog/contract";
import { parseListQuery } from "@/lib/catalog/listing/contract";
import { indexProducts } from "@/lib/catalog/search/index-products";
import { searchProducts } from "@/lib/catalog/search/search-products";
import { findSellerPage } from "@/lib/merchants/seller/find-seller-page";
import { withTags } from "../setup/page-tags";
import { isComplete, rounds } from "../setup/rounds";

afterAll(closeDatabase);

const { list } = parseListQuery({});
const setState = (merchant: { id: string }, state: string) =>
  db.execute(sql`update merchants set state = ${state} where id = ${merchant.id}`);

it("a search is limited to the passes of a merchant, with and without words, by price and by length", async () => {
  const merchant = await createMerchant({ name: "Lantern Yard" });
  const category = await createCategory({ names: { en: "Lanterns" } });
  const plans = [
    { type: "day" as const, priceCents: 300, keys: 1 },
    { priceCents: 900, keys: 1 },
  ];
  const [first, second] = [
    await createProduct({ merchantId: merchant.id, category, vendor: "Lantern Yard", sortNum: 2, plans }),
    await createProduct({ merchantId: merchant.id, category, vendor: "Lantern Yard", sortNum: 1 }),
  ];
  const other = await createProduct({ category, vendor: "Lantern Yard", sortNum: 3, plans });
  await indexProducts(db, { products: [first.id, second.id, other.id] });
  const found = async (input: object) =>
    (await searchProducts(SearchProductsInput.parse({ seller: merchant.handle, ...input }), "en")).items.map(
      ({ slug }) => slug,
    );
  expect(await found({})).toEqual([first.slug, second.slug]);
  expect(await found({ keyword: "lantern" })).toEqual([first.slug, second.slug]);
  expect(await found({ keyword: "lantern", seller: undefined })).toContain(other.slug);
  expect(await found({ vip_type: "day" })).toEqual([first.slug]);
  expect(await found({ keyword: "lantern", vip_type: "day" })).toEqual([first.slug]);
  expect(await found({ price_to: 5 })).toEqual([first.slug]);
  for (const sort of ["price_asc", "price_desc"]) {
    expect((await found({ sort })).sort()).toEqual([first.slug, second.slug].sort());
    expect((await found({ sort, keyword: "lantern" })).sort()).toEqual([first.slug, second.slug].sort());
  }
  expect(await found({ seller: "nobody" })).toEqual([]);
});

it("the page of a merchant shows its profile in the reader's language, its products and categories, and is 404 unless it sells or has paused", async () => {
  const merchant = await createMerchant({ name: "Kettle Row" });
  const category = await createCategory({ names: { en: "Kettles", ja: "やかん" } });
  const [product] = [
    await createProduct({ merchantId: merchant.id, category, sortNum: 2 }),
    await createProduct({ merchantId: merchant.id, category, sortNum: 1, vendor: "Someone Else" }),
    await createProduct({ merchantId: merchant.id, listed: false }),
  ];
  await createProduct({ category });
  await db.execute(sql`
      update merchants set texts = '{"en":"We make kettles.","ja":"やかんを作ります。","zh":""}', country = 'JP',
        website = 'https://kettle-row.example/', closed_until = shop_now() + interval '3 days' where id = ${merchant.id}`);
  await setReviews(product.slug, [5, 4]);
  const tags = new Set<string>();
  const page = (await withTags(tags, () => findSellerPage(merchant.handle, list, "ja")))!;
  expect(page.seller).toMatchObject({
    handle: merchant.handle,
    name: "Kettle Row",
    text: "やかんを作ります。",
    language: "ja",
    country: "JP",
    website: "https://kettle-row.example/",
    closed_until: expect.any(String),
    rating: { average: 4.5, count: 2, demo: false },
    worked: null,
    answer_hours: null,
  });
  expect(page.products.total).toBe(2);
  expect(page.products.items[0]!.slug).toBe(product.slug);
  expect(page.categories).toEqual([{ category, category_name: "やかん", total: 2 }]);
  expect([...tags]).toEqual(
    expect.arrayContaining([`merchant:${merchant.handle}`, `seller:${merchant.handle}`, "list", "unsettled"]),
  );
  expect((await findSellerPage(merchant.handle, list, "zh"))!.seller).toMatchObject({
    text: "We make kettles.",
    language: "en",
  });
  // A link that a browser would run is not shown.
  await db.execute(sql`update merchants set website = 'javascript:alert(1)' where id = ${merchant.id}`);
  expect((await findSellerPage(merchant.handle, list, "en"))!.seller.website).toBeNull();
  for (const [state, shown] of [
    ["invited", false],
    ["suspended", false],
    ["ended", false],
    ["paused", true],
  ] as const) {
    await setState(merchant, state);
    const found = await findSellerPage(merchant.handle, list, "en");
    expect([state, found !== null], state).toEqual([state, shown]);
    expect(found?.products.total ?? 0).toBe(0);
  }
  for (const unknown of ["nobody", "no' or 1=1", "a\u0000b"])
    expect(await findSellerPage(unknown, list, "en")).toBeNull();
});

it("the products of a merchant with many follow its state within seconds", async () => {
  const count = rounds(10_000, 1_000);
  const merchant = await createMerchant();
  const pattern = await createProduct({ slug: `pattern-${merchant.handle}`, merchantId: merchant.id });
  // One by one, the products would take minutes to enter the listing index.
  await client()`alter table listing_index_queue disable trigger listing_index_queue_settle`;
  await client()`
    with made as (
      insert into products (slug, vendor, merchant_id, category, image, sort_num, activation, import_hash)
      select ${merchant.handle} || '-' || n, vendor, merchant_id, category, image, n, activation, 'x'
      from (select * from products where id = ${pattern.id}) source, generate_series(1, ${count - 1}::int) n returning id, slug),
    texts as (insert into product_texts (product_id, locale, name, tagline, description, includes)
      select id, 'en', slug, 'One of many.', 'One.', '[]' from made)
    insert into plans (product_id, type, duration_days, price_cents, availability, region, position)
    select id, 'week', 7, 1000, 'in_stock', '["worldwide"]', 0 from made`;
  await client()`alter table listing_index_queue enable trigger listing_index_queue_settle`;
  await client()`select write_listing_index(null)`;
  const timed = async (state: string) => {
    const startedAt = performance.now();
    await setState(merchant, state);
    const seconds = (performance.now() - startedAt) / 1000;
    const [row] = await client()<{ n: number }[]>`
      select count(distinct o.product_id)::int as n from listing_index o join products p on p.id = o.product_id where p.merchant_id = ${merchant.id}`;
    return { seconds, listed: row!.n };
  };
  const [off, on] = [await timed("suspended"), await timed("active")];
  console.log(
    `${count} products: off the shop in ${off.seconds.toFixed(2)} s, back in ${on.seconds.toFixed(2)} s`,
  );
  expect([off.listed, on.listed]).toEqual([0, count]);
  if (isComplete) expect(Math.max(off.seconds, on.seconds)).toBeLessThan(10);
});
