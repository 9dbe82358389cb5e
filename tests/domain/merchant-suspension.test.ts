import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { db } from "@/db/client";
import { createCategory, createProduct } from "@/db/factories/catalog";
import { createMerchant } from "@/db/factories/merchants";
import { createCartLine } from "@/db/factories/orders";
import { getCart } from "@/lib/cart/get-cart";
import { ListProductsInput, SearchProductsInput } from "@/lib/catalog/contract";
import { streamProductFeed } from "@/lib/catalog/feeds/stream-product-feed";
import { streamCollectionPages, streamProductPages } from "@/lib/catalog/feeds/stream-sitemaps";
import { parseListQuery } from "@/lib/catalog/listing/contract";
import { findCategoryPage } from "@/lib/catalog/listing/find-category-page";
import { getHomePage } from "@/lib/catalog/listing/get-home-page";
import { findVendorPage } from "@/lib/catalog/listing/list-product-range";
import { listProducts } from "@/lib/catalog/listing/list-products";
import { findProductPage } from "@/lib/catalog/product/find-product-page";
import { searchProducts } from "@/lib/catalog/search/search-products";
import { suggestSearch } from "@/lib/catalog/search/suggest-search";
import { approveReplacement } from "@/lib/delivery/replacement/decide-replacement";
import { requestReplacement } from "@/lib/delivery/replacement/request-replacement";
import { findSellerPage } from "@/lib/merchants/seller/find-seller-page";
import { workedShare } from "@/lib/merchants/seller/rules";
import { joinWaitList } from "@/lib/notifications/wait-list/join-wait-list";
import { sweepJob } from "@/lib/orders/jobs";
import { placeOrder } from "@/lib/orders/placing/place-order";
import { requestRefund } from "@/lib/orders/refunds/request-refund";
import { newId } from "@/lib/platform/crypto/ids";
import { getErrorName } from "../setup/error-name";
import * as sale from "../setup/sale";
import { registerSaleHooks } from "../setup/sale-hooks";

registerSaleHooks();

const { list } = parseListQuery({});
const setState = (merchant: { id: string }, state: string) =>
  db.execute(sql`update merchants set state = ${state} where id = ${merchant.id}`);
const collect = async <T>(rows: AsyncIterable<T>): Promise<T[]> => {
  const collected: T[] = [];
  for await (const row of rows) collected.push(row);
  return collected;
};

describe("the figures on a merchant's page", () => {
  it("count working codes and response times over the newest sales, once there are enough", async () => {
    const merchant = await createMerchant();
    const product = await createProduct({ merchantId: merchant.id, plans: [{ keys: 30, type: "month" }] });
    const planId = product.plans[0]!.id;
    const buyer = await sale.createBuyer();
    for (let n = 0; n < 4; n++) await sale.sell(buyer, planId, 5);
    await db.execute(sql`
      insert into commission_rules (id, merchant_id, bps, valid_from, created_by)
      values (${newId("cru")}, ${merchant.id}, 2000, shop_now() - interval '1 day', 'test')`);
    // The sales job writes them; this test is of the page.
    await db.execute(sql`
      insert into merchant_sales (line_id, merchant_id, order_id, product_id, plan_id, sold_at, buyer, units, gross_cents,
        discount_cents, funded_by, rule_id, commission_cents, net_cents, available_at)
      select l.id, ${merchant.id}, l.order_id, l.product_id, l.plan_id, shop_now(), 'buyer-x', l.quantity, l.total_cents, 0,
        'shop', (select id from commission_rules where merchant_id = ${merchant.id} limit 1), 0, l.total_cents, shop_now()
      from order_lines l where l.plan_id = ${planId} on conflict do nothing`);
    const keys = await db.execute<{ id: string }>(
      sql`select id from keys where plan_id = ${planId} and state = 'assigned' order by id limit 3`,
    );
    const shown = async () => {
      const { worked, answer_hours } = (await findSellerPage(merchant.handle, list, "en"))!.seller;
      return { worked, answer_hours };
    };
    expect(await shown()).toEqual({ worked: { percent: 100, units: 20 }, answer_hours: null });
    for (const { id } of keys) {
      await requestReplacement(buyer.viewer, { library_id: id, reason: "Already used." });
      const [request] = await db.execute<{ id: string }>(sql`
        update replacement_requests set created_at = shop_now() - interval '5 hours' where key_id = ${id} returning id`);
      await approveReplacement(request!.id, "staff:test");
    }
    await sale.runQueue();
    expect(await shown()).toEqual({ worked: { percent: 85, units: 20 }, answer_hours: 6 });
    expect([workedShare(19, 0), workedShare(1000, 1), workedShare(20, 21)]).toEqual([null, 99, 0]);
  });
});

describe("a suspended, paused or ended merchant", () => {
  let merchant: Awaited<ReturnType<typeof createMerchant>>;
  let product: Awaited<ReturnType<typeof createProduct>>;
  let category: string;
  let word: string;
  beforeEach(async () => {
    merchant = await createMerchant();
    category = await createCategory();
    word = `Zirkon${merchant.handle.slice(-8)}`;
    product = await createProduct({
      merchantId: merchant.id,
      category,
      sortNum: 100,
      vendor: `Vendor ${word}`,
      texts: { en: { name: word } },
      plans: [
        { keys: 12, type: "month" },
        { type: "year", keys: 0 },
      ],
    });
  });

  /** Where the product is found. */
  async function whereShown(): Promise<string[]> {
    const { slug, id } = product;
    const has = (items: readonly { slug: string }[]) => items.some((item) => item.slug === slug);
    const vendorSlug = `vendor-${word.toLowerCase()}`;
    const home = await getHomePage("en");
    const places: Record<string, boolean> = {
      home: JSON.stringify(home).includes(`"${slug}"`),
      list: has((await listProducts(ListProductsInput.parse({ size: 100 }), "en")).items),
      search: has((await searchProducts(SearchProductsInput.parse({ keyword: word }), "en")).items),
      suggestions: JSON.stringify(await suggestSearch(word, "en")).includes(slug),
      category: has((await findCategoryPage(category, list, "en"))?.products.items ?? []),
      vendor: has((await findVendorPage(vendorSlug, list, "en"))?.products.items ?? []),
      seller: has((await findSellerPage(merchant.handle, list, "en"))?.products.items ?? []),
      product: (await findProductPage({ slug, locale: "en" })) !== null,
      feed: (await collect(streamProductFeed())).some((line) => line.product_id === id),
      sitemap: (await collect(streamProductPages(1))).some(({ path }) => path === `/product/${slug}`),
      "seller in the sitemap": (await collect(streamCollectionPages())).some(
        ({ path }) => path === `/seller/${merchant.handle}`,
      ),
    };
    return Object.keys(places).filter((place) => places[place]);
  }
  const EVERYWHERE = [
    "home",
    "list",
    "search",
    "suggestions",
    "category",
    "vendor",
    "seller",
    "product",
    "feed",
    "sitemap",
    "seller in the sitemap",
  ];

  it.each(["suspended", "paused", "ended"])("loses its products from every list while %s", async (state) => {
    expect(await whereShown()).toEqual(EVERYWHERE);
    await setState(merchant, state);
    expect(await whereShown()).toEqual([]);
    await setState(merchant, "active");
    expect(await whereShown()).toEqual(EVERYWHERE);
  });

  it("sells nothing, from the cart or with Buy now, and its wait-list is closed", async () => {
    const buyer = await sale.createBuyer();
    const [plan, soldOut] = product.plans;
    const line = await createCartLine(buyer.id, plan!.id);
    await setState(merchant, "suspended");
    const cart = await getCart(buyer.viewer, "en");
    expect(cart.cart_items.map(({ stock_state }) => stock_state)).toEqual(["sold_out"]);
    const place = (input: Parameters<typeof placeOrder>[1]) =>
      getErrorName(placeOrder(buyer.viewer, input, "en"));
    expect(await place({ cart_record_ids: [line] })).toBe("sold_out");
    expect(await place({ vip_id: plan!.id })).toBe("product_unknown");
    expect(await getErrorName(joinWaitList(buyer.viewer, { vip_id: soldOut!.id }))).toBe("product_unknown");
    await setState(merchant, "active");
    expect((await getCart(buyer.viewer, "en")).cart_items[0]!.stock_state).not.toBe("sold_out");
    await joinWaitList(buyer.viewer, { vip_id: soldOut!.id });
  });

  it("has its paid orders delivered, codes replaced and passes refunded", async () => {
    const buyer = await sale.createBuyer();
    const planId = product.plans[0]!.id;
    const delivered = await sale.sell(buyer, planId, 2);
    const paid = await sale.orderPlan(buyer, planId);
    await sale.pay(buyer, paid);
    await setState(merchant, "suspended");
    await sale.processEvents();
    expect(await sale.getOrderStatus(paid)).toBe("completed");
    const [key] = await db.execute<{ id: string }>(sql`
      select k.id from keys k join order_lines l on l.id = k.order_line_id where l.order_id = ${delivered} and k.state = 'assigned'`);
    await requestReplacement(buyer.viewer, { library_id: key!.id, reason: "Already used." });
    const [request] = await db.execute<{ id: string }>(
      sql`select id from replacement_requests where key_id = ${key!.id}`,
    );
    expect(await approveReplacement(request!.id, "staff:test")).toMatchObject({ state: "approved" });
    const [line] = await db.execute<{ id: string }>(sql`select id from order_lines where order_id = ${paid}`);
    await requestRefund(buyer.viewer, { order_id: paid, order_product_id: line!.id }, "en");
    // The codes were mailed: the vendor is asked, and its silence approves.
    await sale.setClockAhead("49 hours");
    await sweepJob.run(undefined);
    await sale.processEvents();
    expect(await sale.getOrderStatus(paid)).toBe("refunded");
  });
});
