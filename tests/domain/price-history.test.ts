import { readFileSync } from "node:fs";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { client, closeDatabase, pool } from "@/db/client";
import { createSignedInUser } from "@/db/factories/accounts";
import { createDeal, createProduct } from "@/db/factories/catalog";
import { addToCart } from "@/lib/cart/add-to-cart";
import { getCart } from "@/lib/cart/get-cart";
import { streamProductFeed } from "@/lib/catalog/feeds/stream-product-feed";
import { listProductsBySlug } from "@/lib/catalog/listing/list-products";
import { addDemoPriceHistory } from "@/lib/catalog/pricing/add-demo-price-history";
import { getProductPage } from "@/lib/catalog/product/find-product-page";
import { findDiscountAlert } from "@/lib/notifications/deals/find-discount-alert";

afterAll(closeDatabase);
afterEach(async () => {
  await client()`update shop_clock set shift = interval '0'`;
});

const shiftClock = (days: number) =>
  client()`update shop_clock set shift = make_interval(secs => ${Math.round(days * 86_400)})`;

const readHistory = (planId: number) =>
  client()<{ kind: string; cents: number | null; was: number | null; by: string }[]>`
    select kind, cents, was_cents as was, by from price_changes where plan_id = ${planId} order by id`;

describe("the history of prices", () => {
  it("records each regular and list price, with the previous one and its author", async () => {
    const { plans } = await createProduct({ plans: [{ priceCents: 1000, listPriceCents: 1500 }] });
    const id = plans[0]!.id;
    await pool().begin(async (tx) => {
      await tx`select set_config('shop.author', 'usr_7', true)`;
      await tx`update plans set price_cents = 900 where id = ${id}`;
    });
    await client()`update plans set list_price_cents = null, position = 3 where id = ${id}`;
    await client()`update plans set position = 4 where id = ${id}`;
    expect(await readHistory(id)).toEqual([
      { kind: "price", cents: 1000, was: null, by: "system" },
      { kind: "list", cents: 1500, was: null, by: "system" },
      { kind: "price", cents: 900, was: 1000, by: "usr_7" },
      { kind: "list", cents: null, was: 1500, by: "system" },
    ]);
  });

  it("records a deal's start and end by the clock, and what replaces them", async () => {
    const { plans } = await createProduct({ plans: [{ priceCents: 1000 }] });
    const id = plans[0]!.id;
    const deal = await createDeal(id, { priceCents: 700, endsIn: "3 days" });
    const readDeal = () => client()<{ kind: string; cents: number; was: number; hours: number }[]>`
      select kind, cents, was_cents as was, round(extract(epoch from at - shop_now()) / 3600)::int as hours
      from price_changes where plan_id = ${id} and deal_id = ${deal} order by id`;
    const start = { kind: "deal_start", cents: 700, was: 1000, hours: 0 };
    const end = { kind: "deal_end", cents: 1000, was: 700, hours: 72 };
    expect(await readDeal()).toEqual([start, end]);
    await client()`update deals set claimed = quantity where id = ${deal}`;
    expect(await readDeal()).toHaveLength(2);
    await client()`update deals set price_cents = 600 where id = ${deal}`;
    await client()`update deals set ends_at = ends_at + interval '1 day' where id = ${deal}`;
    await client()`update deals set ended_at = shop_now() where id = ${deal}`;
    await client()`update deals set price_cents = 500 where id = ${deal}`;
    expect((await readDeal()).slice(2)).toEqual([
      { ...start, cents: 600, was: 700 },
      { ...end, was: 600 },
      { ...end, was: 600, hours: 96 },
      { ...end, was: 600, hours: 0 },
    ]);
  });

  it("begins with the current prices and deals when the tables are older than it", async () => {
    const { plans } = await createProduct({ plans: [{ priceCents: 1000, listPriceCents: 1500 }] });
    const id = plans[0]!.id;
    await createDeal(id, { priceCents: 700 });
    const fill = readFileSync("db/migrations/0006_price_history.sql", "utf8")
      .split("--> statement-breakpoint")
      .filter((statement) => /INSERT INTO "price_changes"/.test(statement));
    expect(fill).toHaveLength(2);
    for (const statement of fill) await client().unsafe(statement);
    const rows =
      await client()`select kind, cents, at = (select updated_at from products p join plans pl on pl.product_id = p.id
      where pl.id = plan_id) as "atImport" from price_changes where plan_id = ${id} and by = 'migration' order by id`;
    expect(rows).toEqual([
      { kind: "price", cents: 1000, atImport: true },
      { kind: "list", cents: 1500, atImport: true },
      { kind: "deal_start", cents: 700, atImport: false },
      { kind: "deal_end", cents: 1000, atImport: false },
    ]);
  });

  it("cannot be changed or deleted", async () => {
    const { plans } = await createProduct();
    const id = plans[0]!.id;
    await expect(client()`update price_changes set cents = 1 where plan_id = ${id}`).rejects.toThrow(
      /append-only/,
    );
    await expect(client()`delete from price_changes where plan_id = ${id}`).rejects.toThrow(/append-only/);
  });
});

describe("the price beside the current one", () => {
  const compare = async (slug: string) => {
    const { price, list_price, list_price_kind, lowest_price_30d } = await getProductPage({
      slug,
      locale: "en",
    });
    return [price, list_price, list_price_kind, lowest_price_30d];
  };
  const create = async (plan: { priceCents: number; listPriceCents?: number }) => {
    const { slug, plans } = await createProduct({ plans: [{ keys: 1, ...plan }] });
    return { slug, id: plans[0]!.id };
  };
  const setPrice = (id: number, cents: number) =>
    client()`update plans set price_cents = ${cents} where id = ${id}`;

  it("is the regular price during a deal, with the lowest of the 30 days before its start", async () => {
    const { slug, id } = await create({ priceCents: 2000 });
    await shiftClock(10);
    await setPrice(id, 2400);
    await shiftClock(20);
    await createDeal(id, { priceCents: 1500, endsIn: "30 days" });
    expect(await compare(slug)).toEqual([15, 24, "previous", 20]);
    // The window stands still: it ends where the deal began.
    await shiftClock(49);
    expect(await compare(slug)).toEqual([15, 24, "previous", 20]);
    await shiftClock(51);
    expect(await compare(slug)).toEqual([24, null, null, null]);
  });

  it("is absent when the price was as low in the previous 30 days, or unknown", async () => {
    const { slug, id } = await create({ priceCents: 2000 });
    await shiftClock(5);
    await createDeal(id, { priceCents: 1500, endsIn: "2 days" });
    await shiftClock(8);
    await client()`update deals set ended_at = shop_now() where plan_id = ${id}`;
    await createDeal(id, { priceCents: 1500, endsIn: "2 days" });
    expect(await compare(slug)).toEqual([15, null, null, null]);
    await shiftClock(0);
    const unknown = await create({ priceCents: 2000 });
    await client()`
      with plan as (insert into plans (product_id, type, duration_days, price_cents, availability, region, position)
        select product_id, 'day', 1, 1000, 'in_stock', '["worldwide"]', 1 from plans where id = ${unknown.id} returning id)
      insert into deals (id, plan_id, price_cents, ends_at, quantity)
      select 'deal_unknown', id, 500, shop_now() + interval '1 day', 5 from plan`;
    const { vip_options } = await getProductPage({ slug: unknown.slug, locale: "en" });
    expect(vip_options.find(({ duration_days }) => duration_days === 1)).toMatchObject({
      price: 5,
      list_price: null,
      lowest_price_30d: null,
    });
    // The demo catalogue gets a price history.
    await addDemoPriceHistory();
    const demo = await getProductPage({ slug: unknown.slug, locale: "en" });
    expect(demo.vip_options.find(({ duration_days }) => duration_days === 1)).toMatchObject({
      price: 5,
      list_price: 10,
      lowest_price_30d: 10,
    });
  });

  it("is the same in lists, search, cart, feed and deal alerts", async () => {
    const { slug, id } = await create({ priceCents: 2000 });
    await shiftClock(1);
    await createDeal(id, { priceCents: 1500 });
    const expected = { price: 15, list_price: 20, list_price_kind: "previous", lowest_price_30d: 20 };
    const { items } = await listProductsBySlug([slug], "en");
    expect(items).toMatchObject([expected]);
    const { viewer } = await createSignedInUser();
    const [plan] = await client()<{ product_id: number }[]>`select product_id from plans where id = ${id}`;
    await addToCart(viewer, { product_id: plan!.product_id, vip_id: id, quantity: 1 });
    expect((await getCart(viewer, "en")).cart_items).toMatchObject([expected]);
    for await (const line of streamProductFeed())
      if (line.slug === slug) expect(line.plans).toMatchObject([expected]);
    await client()`insert into subscriptions (id, email, topic, locale, state)
      values ('sub_prices', 'prices@example.com', 'discounts', 'en', 'confirmed')`;
    const alert = (await findDiscountAlert("sub_prices", "en"))!;
    expect(alert.find((deal) => deal.slug === slug)?.reduction).toEqual({
      usualCents: 2000,
      lowestCents: 2000,
    });
  });

  it("is known after years, and while a deal of more than a year ends", async () => {
    const { slug, id } = await create({ priceCents: 2000 });
    await createDeal(id, { priceCents: 1700, endsIn: "450 days" });
    await shiftClock(470);
    await client()`update deals set ended_at = shop_now() where plan_id = ${id}`;
    await createDeal(id, { priceCents: 1500 });
    expect(await compare(slug)).toEqual([15, 20, "previous", 17]);
    await shiftClock(1500);
    await client()`update deals set ended_at = shop_now() where plan_id = ${id} and ended_at is null`;
    await createDeal(id, { priceCents: 1500 });
    expect(await compare(slug)).toEqual([15, 20, "previous", 20]);
  });

  it("treats the steps of one reduction as one, and a rise as its end", async () => {
    const { slug, id } = await create({ priceCents: 2000 });
    await shiftClock(40);
    await createDeal(id, { priceCents: 1500, endsIn: "30 days" });
    await shiftClock(45);
    await client()`update deals set price_cents = 1200 where plan_id = ${id}`;
    expect(await compare(slug)).toEqual([12, 20, "previous", 20]);
    await shiftClock(50);
    await client()`update deals set price_cents = 1400 where plan_id = ${id}`;
    expect(await compare(slug)).toEqual([14, null, null, null]);
  });

  it("is the vendor's list price unless it was charged in the last 90 days", async () => {
    const vendor = await create({ priceCents: 2000, listPriceCents: 2600 });
    expect(await compare(vendor.slug)).toEqual([20, 26, "vendor", null]);
    const { slug, id } = await create({ priceCents: 2600 });
    await shiftClock(35);
    await client()`update plans set price_cents = 2000, list_price_cents = 2600 where id = ${id}`;
    expect(await compare(slug)).toEqual([20, 26, "previous", 26]);
    await shiftClock(35 + 89);
    expect(await compare(slug)).toEqual([20, 26, "previous", 26]);
    await shiftClock(35 + 92);
    expect(await compare(slug)).toEqual([20, 26, "vendor", null]);
  });
});
