import { client } from "@/db/client";
import type { ListProductsInput } from "@/lib/catalog/contract";
import { listMerchantProducts } from "@/lib/catalog/listing/list-product-range";
import type { Locale } from "@/lib/platform/i18n/locales";
import { instant } from "@/lib/platform/instant";
import { addCacheTags, doNotCache } from "@/lib/platform/page-cache/tags";
import { averageRating } from "@/lib/reviews/rules";
import type { Seller, SellerFigures, SellerPage } from "./contract";
import { countSellerFigures } from "./find-seller-figures";
import { type TraderValues, toTrader } from "./trader";

/**
 * The page of a merchant that sells here, or has paused (`/seller/{handle}`, docs/product.md#21-pages); null for an unknown,
 * invited, suspended or ended one.
 */
export async function findSellerPage(
  handle: string,
  input: Pick<ListProductsInput, "sort" | "page" | "size">,
  locale: Locale,
): Promise<SellerPage | null> {
  // Tagged even without a page, because a suspended merchant may come back.
  addCacheTags(`merchant:${handle}`, `seller:${handle}`);
  const row = await findSeller(handle.replaceAll("\0", ""), locale);
  if (!row) return null;
  const seller = toSeller(row, await countSellerFigures(row.handle), locale);
  // The end of the closing days invalidates no page by itself.
  if (seller.closed_until) doNotCache();
  return { seller, ...(await listMerchantProducts(row.id, input, locale)) };
}

type SellerRow = Pick<Seller, "handle" | "name" | "country" | "website"> & {
  id: string;
  text: string | null;
  text_en: string | null;
  since: string;
  closed_until: string | null;
  ratings: number;
  rating_sum: number | null;
  demo: boolean | null;
  trader: TraderValues | null;
};

async function findSeller(handle: string, locale: Locale): Promise<SellerRow | undefined> {
  const [row] = await client()<SellerRow[]>`
    with seller as (select * from merchants where handle = ${handle} and state in ('active', 'paused'))
    select m.id, m.handle, m.name, m.country, m.website, reviewed.demo, nullif(m.texts ->> ${locale}, '') as text,
      nullif(m.texts ->> 'en', '') as text_en, m.created_at as since,
      case when m.closed_until > shop_now() then m.closed_until end as closed_until,
      reviewed.ratings, reviewed.rating_sum,
      (select jsonb_object_agg(t.field, t.value) from merchant_trade_fields t
        where t.merchant_id = m.id and t.value is not null and t.field <> 'terms') as trader
    from seller m cross join lateral (select count(*)::int as ratings, sum(r.rating)::int as rating_sum,
        bool_or(r.demo) as demo
      from products p join reviews r on r.product_id = p.id and r.state = 'published' where p.merchant_id = m.id) reviewed`;
  return row;
}

function toSeller(row: SellerRow, figures: SellerFigures, locale: Locale): Seller {
  const { handle, name, country, website, text, text_en, ratings, rating_sum } = row;
  return {
    ...figures,
    handle,
    name,
    country,
    website: website && isWebAddress(website) ? website : null,
    text: text ?? text_en,
    language: text === null ? "en" : locale,
    trader: toTrader(row.trader, locale),
    since: instant(row.since),
    closed_until: instant(row.closed_until),
    rating:
      rating_sum === null
        ? null
        : { average: averageRating(rating_sum, ratings), count: ratings, demo: row.demo === true },
  };
}

const isWebAddress = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
