import { afterAll, beforeAll, expect, it } from "vitest";
import { POST as createCart } from "@/app/ucp/v1/carts/route";
import { client, closeDatabase } from "@/db/client";
import { createKeys, createProduct } from "@/db/factories/catalog";
import { getProductPage } from "@/lib/catalog/product/find-product-page";
import { placeOrder } from "@/lib/orders/placing/place-order";
import { LOCALES } from "@/lib/platform/i18n/locales";
import { toCents } from "@/lib/platform/money";
import { callRest, callTool } from "../setup/agent-calls";
import { importLines, seedLines } from "../setup/catalog-import";
import * as sale from "../setup/sale";

type Plan = { id: number; product: number };
let plans: Plan[];

beforeAll(async () => {
  await importLines(seedLines());
  await createProduct({ plans: [{ keys: 9, priceCents: 1000, deal: { priceCents: 700, quantity: 2 } }] });
  plans = await client()<Plan[]>`
    select pl.id, p.id as product from plans pl join products p on p.id = pl.product_id where pl.listed and p.listed order by 1`;
  for (const [index, { id }] of plans.entries()) if (index % 3 !== 2) await createKeys(id, (index % 8) + 1);
});
afterAll(closeDatabase);

const STATUS = { in_stock: "in_stock", low: "in_stock", pre_order: "preorder", sold_out: "out_of_stock" };
type Variant = {
  id: string;
  price: { amount: number };
  availability: { status: string };
  metadata: { stock: number | null };
};

/** What the tools say about each plan of a product, as price in cents, state and exact stock. */
async function askTools(product: number, ids: number[], language: string) {
  const context = { language };
  const names = ids.map(String);
  const detail = await callTool("get_product", { catalog: { id: `product_${product}`, context } });
  const looked = await callTool("lookup_catalog", { catalog: { ids: names, context } });
  const compared = await callTool("compare_passes", { ids: names, language });
  const facts = ({ price, availability, metadata }: Variant) => [
    price.amount,
    availability.status,
    metadata.stock,
  ];
  const inList = (list: Variant[], id: string) => facts(list.find((one) => one.id === id)!);
  return names.map((id) => {
    const pass = compared.data.passes.find((one: { id: string }) => one.id === id);
    return {
      detail: inList(detail.data.product.variants, id),
      lookup: inList(looked.data.products[0].variants, id),
      compare: [pass.price.amount, pass.availability, pass.stock],
    };
  });
}

async function askPage(product: number, ids: number[], locale: (typeof LOCALES)[number]) {
  const page = await getProductPage({ id: product, locale });
  return ids.map((id) => {
    const plan = page.vip_options.find(({ vip_id }) => vip_id === id)!;
    const facts = [toCents(plan.price), STATUS[plan.stock_state], plan.stock <= 5 ? plan.stock : null];
    return { detail: facts, lookup: facts, compare: facts };
  });
}

const cartOf = async (id: number, quantity = 1) =>
  (await callRest(createCart, { body: { line_items: [{ item: { id: String(id) }, quantity }] } })).body;

it("the tools return the price and stock that the page shows, for every plan in every language", async () => {
  for (const locale of LOCALES)
    for (const product of new Set(plans.map((plan) => plan.product))) {
      const ids = plans.filter((plan) => plan.product === product).map(({ id }) => id);
      expect(await askTools(product, ids, locale)).toEqual(await askPage(product, ids, locale));
    }
}, 300_000);

it("a quoted refund equals the page's while the code is unused, and is zero once it was used", async () => {
  for (const { id, product } of plans) {
    const { data } = await callTool("refund_quote", { id: String(id), day: 0 });
    const page = await getProductPage({ id: product, locale: "en" });
    const plan = page.vip_options.find(({ vip_id }) => vip_id === id)!;
    expect(data.price.amount).toBe(toCents(plan.price));
    const { refundable, reason, amount } = plan.refund;
    if (reason.startsWith("before_delivery")) continue; // of a pre-order the page also says what comes back before its delivery
    expect(data.back_if_unused.amount).toBe(refundable ? toCents(amount) : 0);
    expect(data.back_if_used.amount).toBe(0);
  }
}, 300_000);

it("a cart has the total of its order, and after a price change the new price", async () => {
  const inStock = await client()<{ id: number }[]>`
    select pl.id from plans pl where pl.listed and pl.price_cents > 50 and pl.availability = 'in_stock'
      and (select count(*) from keys k where k.plan_id = pl.id and k.state = 'available') >= 3 order by pl.id desc limit 4`;
  for (const { id } of inStock) {
    await createKeys(id, 6);
    for (const quantity of [1, 3]) {
      const buyer = await sale.createBuyer();
      const cart = await cartOf(id, quantity);
      const placed = await placeOrder(buyer.viewer, { passes: [{ vip_id: id, quantity }] }, "en");
      expect(toCents(placed.final_amount)).toBe(cart.totals[1].amount);
    }
  }
  const changed = inStock.at(-1)!.id;
  await client()`update plans set price_cents = price_cents + 111 where id = ${changed}`;
  const [row] = await client()<
    { product: number }[]
  >`select product_id as product from plans where id = ${changed}`;
  const product = row!.product;
  const page = await askPage(product, [changed], "en");
  expect((await cartOf(changed)).totals[1].amount).toBe(page[0]!.detail[0]);
  expect(await askTools(product, [changed], "en")).toEqual(page);
});
