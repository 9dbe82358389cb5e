import { client } from "@/db/client";
import type { reviews } from "@/db/schema/reviews";
import { DEFAULT_LOCALE, isLocale } from "@/lib/platform/i18n/locales";
import { instant } from "@/lib/platform/instant";
import { addCacheTags } from "@/lib/platform/page-cache/tags";
import type { ListReviewsInput, ReviewList, ReviewSummary, ReviewView } from "./contract";
import { maskName } from "./mask-name";
import { averageRating } from "./rules";

type Row = Pick<typeof reviews.$inferSelect, "id" | "rating" | "title" | "content" | "locale" | "demo"> & {
  username: string;
  at: string;
  reply: string | null;
  replyLocale: string | null;
  replyAt: string | null;
  merchant: string | null;
};
type RatingSums = { count: number; sum: number; stars: number[]; demo: number };

/** A page of a product's reviews, newest first, with their summary (`GET /comment/list`). */
export async function listReviews({ product_id, page, size }: ListReviewsInput): Promise<ReviewList> {
  addCacheTags(`product:${product_id}`);
  const [rows, [sums]] = await Promise.all([
    client()<Row[]>`
      select r.id, r.rating, r.title, r.content, r.locale, r.demo, u.username, r.created_at as at,
        y.text as reply, y.locale as "replyLocale", y.created_at as "replyAt", m.name as merchant
      from reviews r join users u on u.id = r.user_id
      left join review_replies y on y.review_id = r.id and y.state = 'shown' left join merchants m on m.id = y.merchant_id
      where r.product_id = ${product_id} and r.state = 'published'
      order by r.created_at desc, r.id limit ${size} offset ${(page - 1) * size}`,
    client()<RatingSums[]>`
      select count(*)::int as count, coalesce(sum(rating), 0)::int as sum,
        array[count(*) filter (where rating = 1), count(*) filter (where rating = 2),
          count(*) filter (where rating = 3), count(*) filter (where rating = 4),
          count(*) filter (where rating = 5)]::int[] as stars,
        count(*) filter (where demo)::int as demo
      from reviews where product_id = ${product_id} and state = 'published'`,
  ]);
  return { items: rows.map(toReviewView), total: sums!.count, summary: toReviewSummary(sums!) };
}

const toReviewSummary = ({ count, sum, stars, demo }: RatingSums): ReviewSummary => ({
  average: count === 0 ? null : averageRating(sum, count),
  count,
  stars,
  demo,
});

const toReviewView = (row: Row): ReviewView => ({
  review_id: row.id,
  rating: row.rating,
  title: row.title,
  content: row.content,
  author: maskName(row.username),
  created_at: instant(row.at),
  language: toLanguage(row.locale),
  verified: !row.demo,
  demo: row.demo,
  reply: toReply(row),
});

const toLanguage = (locale: string | null) => (locale !== null && isLocale(locale) ? locale : DEFAULT_LOCALE);

const toReply = ({ reply, replyLocale, replyAt, merchant }: Row): ReviewView["reply"] =>
  reply === null || replyAt === null
    ? null
    : {
        text: reply,
        language: toLanguage(replyLocale),
        merchant: merchant ?? "",
        created_at: instant(replyAt),
      };
