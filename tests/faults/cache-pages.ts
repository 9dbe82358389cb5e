import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { type CreatedProduct, createCategory, createProduct } from "@/db/factories/catalog";
import type { PageResponse } from "../setup/send-request";

export const LOCALES = ["en", "zh", "ja"] as const;
type Locale = (typeof LOCALES)[number];
/** `hit`, `fwd=miss`, or undefined when the page did not pass the cache. */
export const cacheStatus = ({ headers }: PageResponse) => headers["cache-status"]?.replace(/^next; /, "");

export type CatalogFixture = {
  product: CreatedProduct;
  sibling: CreatedProduct;
  other: CreatedProduct;
  post: string;
};

/** A product that every kind of page shows, a sibling in its category, and a product of another category. */
export async function createCatalogFixture(): Promise<CatalogFixture> {
  const text = (name: string) => ({ name, tagline: `${name}.`, description: `${name}.`, includes: [name] });
  const texts = { en: text("First name"), zh: text("名字一"), ja: text("なまえ") };
  const category = await createCategory({ slug: "cached", names: { en: "Cached", zh: "缓存", ja: "控え" } });
  const product = await createProduct({
    slug: "shown-everywhere",
    category,
    sortNum: 90,
    texts,
    plans: [{ priceCents: 4100, keys: 5, deal: { priceCents: 3100, quantity: 50 } }],
  });
  const sibling = await createProduct({
    slug: "sibling-product",
    category,
    sortNum: 80,
    plans: [{ keys: 9 }],
  });
  const otherCategory = await createCategory({ slug: "apart", names: { en: "Apart", zh: "另外", ja: "別" } });
  const other = await createProduct({
    slug: "other-product",
    category: otherCategory,
    sortNum: 1,
    plans: [{ keys: 9 }],
  });
  await db.execute(sql`
    insert into posts (slug, author, category, related, published_at, updated_at, import_hash)
    values ('related-post', 'Ines Harrow', 'cached', '["shown-everywhere"]', shop_now(), shop_now(), 'x')`);
  await db.execute(sql`
    insert into post_texts (post_id, locale, title, description, body)
    select p.id, l, 'A post', 'A description.', 'Words.' from posts p, unnest('{en,zh,ja}'::text[]) l
    where p.slug = 'related-post'`);
  return { product, sibling, other, post: "related-post" };
}

export type LocalizedPage = { locale: Locale; path: string };

/** Every page that shows the product, in three languages, on both surfaces. */
export function listProductPages({ product, sibling, post }: CatalogFixture): LocalizedPage[] {
  return LOCALES.flatMap((locale) =>
    [false, true].flatMap((mobile) => {
      const prefix = (locale === "en" ? "" : `/${locale}`) + (mobile ? "/mobile" : "");
      const cached = [
        `/product/${product.slug}`,
        `/product/detail/${product.id}`,
        `/product/${sibling.slug}`,
        "",
        "/top-trending",
        "/top-trending?sort=price_asc",
        mobile ? "/limited" : "/limited-offer",
        `/blog/detail/${post}`,
      ].map((path) => ({ locale, path: `${prefix}${path}` || "/" }));
      const results = mobile ? "/search-results" : "/search";
      return [...cached, { locale, path: `${prefix}${results}?q=everywhere` }];
    }),
  );
}

/**
 * Waits until `check` is true and returns the start time of that check in milliseconds; null when a check started after
 * `limit` is false.
 */
export async function waitUntil(limit: number, check: () => Promise<boolean>): Promise<number | null> {
  const start = performance.now();
  for (;;) {
    const elapsed = performance.now() - start;
    if (await check()) return elapsed;
    if (elapsed > limit) return null;
  }
}

/** The visible text and the metadata of a page, without scripts and the addresses of the instances. */
export const visibleText = (html: string) =>
  [
    ...[...html.matchAll(/<title>[^<]*|name="description" content="[^"]*|application\/ld\+json">[^<]*/g)].map(
      String,
    ),
    html.replace(/<(script|style)[\s\S]*?<\/\1>/g, "").replace(/<[^>]*>/g, "\n"),
  ]
    .join("\n")
    .replace(/http:\/\/localhost:\d+/g, "");
