import { sql } from "drizzle-orm";
import { beforeAll, expect, it } from "vitest";
import { db } from "@/db/client";
import { type CreatedProduct, createProduct } from "@/db/factories/catalog";
import { addToCart } from "@/lib/cart/add-to-cart";
import { getCart } from "@/lib/cart/get-cart";
import { listHotProducts } from "@/lib/catalog/listing/list-products";
import { findProductPage } from "@/lib/catalog/product/find-product-page";
import { listLibrary } from "@/lib/delivery/library/list-library";
import { getOrder } from "@/lib/orders/find-order";
import * as sale from "../setup/sale";
import { registerSaleHooks } from "../setup/sale-hooks";

registerSaleHooks();

const NAMES = { en: "Tessock SQL", zh: "Tessock SQL 查询", ja: "Tessock SQL クエリ" };
let buyer: sale.Buyer;
let product: CreatedProduct;
beforeAll(async () => {
  buyer = await sale.createBuyer();
  product = await createProduct({ texts: { en: { name: NAMES.en } }, plans: [{ keys: 4 }] });
});

it.each(["en", "zh", "ja"] as const)(
  "a product without a translation has the dictionary's name wherever it is shown in %s",
  async (locale) => {
    const vipId = product.plans[0]!.id;
    const orderId = await sale.sell(buyer, vipId);
    await addToCart(buyer.viewer, { product_id: product.id, vip_id: vipId, quantity: 1 });
    const page = await findProductPage({ id: product.id, locale });
    const hot = await listHotProducts(locale);
    const order = await getOrder(buyer.viewer, orderId, locale);
    const cart = await getCart(buyer.viewer, locale);
    const library = await listLibrary(buyer.viewer, locale);
    const shown = [
      page,
      hot.items.find(({ product_id }) => product_id === product.id),
      order.order_products[0],
      cart.cart_items[0],
      library.items[0],
    ];
    expect(shown.map((item) => item?.product_name)).toEqual(shown.map(() => NAMES[locale]));
    // Its other texts are English; a line that shows its name alone is in the page's language.
    expect([page?.language, order.order_products[0]?.language]).toEqual(["en", locale]);
  },
);

it("a product's own name takes precedence over the dictionary's, and an unknown one stays English", async () => {
  const names = await db.execute<{ name: string }>(sql`
    select coalesce(own, translate_product_text(english, 'zh')) as name
    from (values (1, '自己的名字', 'Tessock SQL'), (2, null, ' tessock  sql '), (3, null, 'Unknown Tool')) v(n, own, english) order by n`);
  expect(names.map(({ name }) => name)).toEqual(["自己的名字", NAMES.zh, "Unknown Tool"]);
});
