import { sql } from "drizzle-orm";
import { feedDb } from "@/db/client";
import type { ProductDetail } from "@/lib/catalog/contract";
import { listProductPages } from "@/lib/catalog/product/find-product-page";
import { env } from "@/lib/platform/env";
import { LOCALES, type Locale } from "@/lib/platform/i18n/locales";
import { localizedPath } from "@/lib/platform/routing/paths";

/** Products of the feed that are read and written at a time: a few milliseconds of work. */
const FEED_BATCH = 25;

/** Streams all listed products, one line each, in the languages of their texts (`/feeds/products.jsonl`). */
export async function* streamProductFeed(): AsyncGenerator<ReturnType<typeof feedLine>> {
  for (let last = 0; ; ) {
    const products = await feedDb.execute<FeedProduct>(sql`
      select p.id, (select array_agg(t.locale) from product_texts t where t.product_id = p.id) as languages
      from products p where p.listed and p.id > ${last} order by p.id limit ${FEED_BATCH}`);
    const pages = new Map<number, ProductDetail[]>(products.map(({ id }) => [id, []]));
    for (const locale of LOCALES) {
      const ids = products.filter(({ languages }) => languages.includes(locale)).map(({ id }) => id);
      for (const page of await listProductPages(ids, locale)) pages.get(page.product_id)?.push(page);
    }
    for (const translated of pages.values()) if (translated[0]) yield feedLine(translated);
    if (products.length < FEED_BATCH) return;
    last = products.at(-1)!.id;
  }
}

type FeedProduct = { id: number; languages: Locale[] };

/** A line of the feed: prices in USD, times in UTC, `refundable_days` 0 when not refundable. */
function feedLine(pages: ProductDetail[]) {
  const origin = env().APP_URL;
  const [{ product_id, slug, maker, seller, category, product_image, vip_options }] = pages as [
    ProductDetail,
  ];
  const texts = pages.map(({ language, product_name, product_tagline, product_description }) => {
    const url = origin + localizedPath(`/product/${slug}`, { locale: language, surface: "desktop" });
    return [
      language,
      { url, name: product_name, tagline: product_tagline, description: product_description },
    ];
  });
  return {
    product_id,
    slug,
    maker,
    seller: seller.name,
    category,
    image: `${origin}${product_image}&width=960`,
    texts: Object.fromEntries(texts),
    currency: "USD",
    plans: vip_options.map((plan) => ({
      vip_id: plan.vip_id,
      vip_type: plan.vip_type,
      pass_type: plan.pass_type,
      duration_days: plan.duration_days,
      price: plan.price,
      list_price: plan.list_price,
      list_price_kind: plan.list_price_kind,
      lowest_price_30d: plan.lowest_price_30d,
      price_per_day: plan.price_per_day,
      availability: plan.stock_state,
      region: plan.region,
      releases_at: plan.releases_at,
      deal_ends_at: plan.deal?.ends_at ?? null,
      refundable_days: plan.refund.refundable ? plan.refund.days : 0,
    })),
  };
}
