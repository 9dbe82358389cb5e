import { client } from "@/db/client";
import type { ListProductsInput } from "@/lib/catalog/contract";
import { listMerchantProducts } from "@/lib/catalog/listing/list-product-range";
import type { Locale } from "@/lib/platform/i18n/locales";
import { instant } from "@/lib/platform/instant";
import { addCacheTags, doNotCache } from "@/lib/platform/page-cache/tags";
import { averageRating } from "@/lib/reviews/rules";
import type { Seller, SellerPage } from "./contract";
import { ANSWERS_FROM, SELLER_SALES, workedShare } from "./rules";

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
  const seller = toSeller(row, locale);
  // The end of the holidays comes without a change.
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
  units: number;
  replaced: number;
  answers: number;
  answer_seconds: number | null;
};

/**
 * Codes and answers are counted over the newest sold lines, so that the statement reads few rows and reflects the
 * present.
 */
async function findSeller(handle: string, locale: Locale): Promise<SellerRow | undefined> {
  const [row] = await client()<SellerRow[]>`
    with seller as (select * from merchants where handle = ${handle} and state in ('active', 'paused')),
    sold as materialized (select line_id, units from merchant_sales where merchant_id = (select id from seller)
      order by sold_at desc, line_id desc limit ${SELLER_SALES}),
    answered as (
      select q.state, q.decided_at - q.created_at as took from sold s join keys k on k.order_line_id = s.line_id
      join replacement_requests q on q.key_id = k.id and q.decided_at is not null
      union all
      select 'refund', q.decided_at - q.created_at from sold s join refund_requests q on q.order_line_id = s.line_id
      where q.decided_at is not null and q.decided_by not in ('rule', 'deadline'))
    select m.id, m.handle, m.name, m.country, m.website, reviewed.demo, nullif(m.texts ->> ${locale}, '') as text,
      nullif(m.texts ->> 'en', '') as text_en, m.created_at as since,
      case when m.closed_until > shop_now() then m.closed_until end as closed_until,
      reviewed.ratings, reviewed.rating_sum, (select coalesce(sum(units), 0)::int from sold) as units,
      (select count(*)::int from answered where state = 'approved') as replaced,
      (select count(*)::int from answered) as answers,
      (select extract(epoch from percentile_cont(0.5) within group (order by took))::float8 from answered) as answer_seconds
    from seller m cross join lateral (select count(*)::int as ratings, sum(r.rating)::int as rating_sum,
        bool_or(r.demo) as demo
      from products p join reviews r on r.product_id = p.id and r.state = 'published' where p.merchant_id = m.id) reviewed`;
  return row;
}

function toSeller(row: SellerRow, locale: Locale): Seller {
  const { handle, name, country, website, text, text_en, ratings, rating_sum, units, answers } = row;
  const percent = workedShare(units, row.replaced);
  const seconds = answers < ANSWERS_FROM ? null : row.answer_seconds;
  return {
    handle,
    name,
    country,
    website: website && isWebAddress(website) ? website : null,
    text: text ?? text_en,
    language: text === null ? "en" : locale,
    since: instant(row.since),
    closed_until: instant(row.closed_until),
    rating:
      rating_sum === null
        ? null
        : { average: averageRating(rating_sum, ratings), count: ratings, demo: row.demo === true },
    worked: percent === null ? null : { percent, units },
    answer_hours: seconds === null ? null : Math.max(1, Math.ceil(seconds / 3600)),
  };
}

const isWebAddress = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
