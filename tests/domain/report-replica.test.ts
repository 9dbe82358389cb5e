import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { closeDatabase } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { createMerchant, createSeller, type Seller } from "@/db/factories/merchants";
import { listPostSitemaps, streamPostPages } from "@/lib/blog/stream-post-pages";
import { ListProductsInput, SearchProductsInput } from "@/lib/catalog/contract";
import { streamProductFeed } from "@/lib/catalog/feeds/stream-product-feed";
import {
  hasProductSitemap,
  listProductSitemaps,
  streamCollectionPages,
  streamProductPages,
} from "@/lib/catalog/feeds/stream-sitemaps";
import { listCategories } from "@/lib/catalog/listing/list-categories";
import { listProducts } from "@/lib/catalog/listing/list-products";
import { findProductPage } from "@/lib/catalog/product/find-product-page";
import { searchProducts } from "@/lib/catalog/search/search-products";
import { suggestSearch } from "@/lib/catalog/search/suggest-search";
import { InsightPageInput } from "@/lib/merchants/insight/contract";
import { getInsight } from "@/lib/merchants/insight/get-insight";
import { MerchantSalesInput } from "@/lib/merchants/sales/contract";
import { listMerchantSales } from "@/lib/merchants/sales/list-merchant-sales";
import { listDayFigures } from "@/lib/orders/insight/list-day-figures";
import { env } from "@/lib/platform/env";
import { type Observer, telemetry } from "@/lib/platform/telemetry/telemetry";
import { EmptySearchesInput, SourceDaysInput, SourcesInput } from "@/lib/tracking/insight/contract";
import { getSourceDays, listSources } from "@/lib/tracking/insight/get-sources";
import { listEmptySearches } from "@/lib/tracking/insight/list-empty-searches";

// The worker's database stands in for a replica that keeps up; the pool of a statement says where it was sent.
vi.mock("@/db/replica", () => ({
  Replica: class {
    isUsable = () => Promise.resolve(true);
    isFailedBy = () => false;
    close() {}
  },
}));

const pools: string[] = [];
const observer: Observer = (operation, run) => {
  if (operation.kind === "statement") pools.push(String(operation.attributes?.["passlane.pool"]));
  return run();
};
let seller: Seller;
let productId: number;

beforeAll(async () => {
  seller = await createSeller(await createMerchant());
  const texts = { en: { name: "Quillonworth" }, zh: { name: "翻译助手" } };
  productId = (await createProduct({ texts })).id;
  await closeDatabase();
  telemetry.observers.push(observer);
  Object.assign(env(), { DATABASE_REPLICA_URL: env().DATABASE_DIRECT_URL });
});
afterAll(async () => {
  Object.assign(env(), { DATABASE_REPLICA_URL: undefined });
  telemetry.observers.splice(telemetry.observers.indexOf(observer), 1);
  await closeDatabase();
});

const drain = async (rows: AsyncGenerator<unknown>) => {
  let count = 0;
  for await (const _ of rows) count += 1;
  return count;
};
const search = (keyword: string) => searchProducts(SearchProductsInput.parse({ keyword }), "en");

/** The pools of the statements of a read, each once. */
async function poolsOf(read: () => unknown): Promise<string[]> {
  pools.length = 0;
  await read();
  return [...new Set(pools)];
}

it.each([
  ["figures of days", () => listDayFigures(30)],
  ["sources", () => listSources(SourcesInput.parse({}))],
  ["days of a source", () => getSourceDays(SourceDaysInput.parse({ came_from: "newsletter" }))],
  ["searches without results", () => listEmptySearches(EmptySearchesInput.parse({ locale: "ja" }))],
  ["a merchant's insight", () => getInsight(seller.member, InsightPageInput.parse({}), "en")],
])("%s are read only from the replica", async (_, read) => {
  expect(await poolsOf(read)).toEqual(["replicaLists"]);
});

it.each([
  ["searches", () => search("quillonworth")],
  ["searches with a typo", () => search("quilonwort")],
  ["searches with a Chinese typo", () => search("翻泽助手")],
  ["searches without a result", () => search("zzzyyyxxx wwwvvv")],
  ["suggestions", () => suggestSearch("quillonw", "en")],
  ["the product feed", () => drain(streamProductFeed())],
  [
    "the list of sitemaps",
    () => Promise.all([listProductSitemaps(), listPostSitemaps(), hasProductSitemap(1)]),
  ],
  ["the sitemap of products", () => drain(streamProductPages(1))],
  ["the sitemap of collections", () => drain(streamCollectionPages())],
  ["the sitemap of posts", () => drain(streamPostPages())],
])("%s are read only from the replica", async (_, read) => {
  expect(await poolsOf(read)).toEqual(["replica"]);
});

it.each([
  ["product lists", () => listProducts(ListProductsInput.parse({}), "en")],
  ["categories", () => listCategories("en")],
  ["a product's page", () => findProductPage({ id: productId, locale: "en" })],
])("%s, which cached pages contain, are read only from the primary", async (_, read) => {
  expect(await poolsOf(read)).toEqual(["background"]);
});

it("the sums of a merchant's sales are read from the replica, the list of its sales from the primary", async () => {
  const read = () => listMerchantSales(seller.member, MerchantSalesInput.parse({}), "en");
  expect(await poolsOf(read)).toEqual(["lists", "replicaLists"]);
});
