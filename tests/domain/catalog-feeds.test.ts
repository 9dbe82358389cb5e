import { afterAll, expect, it } from "vitest";
import { client, closeDatabase } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { streamProductFeed } from "@/lib/catalog/feeds/stream-product-feed";
import {
  hasProductSitemap,
  listProductSitemaps,
  streamProductPages,
} from "@/lib/catalog/feeds/stream-sitemaps";

afterAll(closeDatabase);

async function collect<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

it("the sitemap and the feed list every listed product once, in the languages of its texts", async () => {
  const listed = await createProduct({ texts: { en: {}, ja: { name: "ロガー" } } });
  const hidden = await createProduct({ listed: false });
  const [row] = await client()<{ at: string }[]>`select max(updated_at) as at from products where listed`;
  expect(await listProductSitemaps()).toEqual([{ part: 1, lastModified: row!.at }]);

  const pages = await collect(streamProductPages(1));
  const paths = pages.map(({ path }) => path);
  expect(new Set(paths).size).toBe(paths.length);
  expect(paths).not.toContain(`/product/${hidden.slug}`);
  const page = pages.find(({ path }) => path === `/product/${listed.slug}`);
  expect(page?.languages?.toSorted()).toEqual(["en", "ja"]);
  expect(await collect(streamProductPages(2))).toEqual([]);

  const feed = await collect(streamProductFeed());
  expect(feed.filter(({ slug }) => slug === listed.slug)).toHaveLength(1);
  expect(feed.map(({ slug }) => slug)).not.toContain(hidden.slug);
});

it("a sitemap file exists for numbers of products only", async () => {
  expect(await hasProductSitemap(1)).toBe(true);
  expect(await hasProductSitemap(2)).toBe(false);
  expect(await hasProductSitemap(999_999)).toBe(false); // its first id exceeds an integer of Postgres
});
