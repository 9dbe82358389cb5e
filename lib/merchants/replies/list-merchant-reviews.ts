import { sql } from "drizzle-orm";
import { listDb } from "@/db/client";
import { maskCodes } from "@/lib/delivery/code-text/find-codes";
import type {
  MerchantReview,
  MerchantReviewList,
  MerchantReviewsInput,
} from "@/lib/merchants/replies/contract";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { declareQuery, idKey, timeKey } from "@/lib/platform/console/declare-query";
import { WALKED_ROWS } from "@/lib/platform/console/list";
import { pageSql, ROW_MARKS, type RowMarks, SCREEN, toPage } from "@/lib/platform/console/query";
import type { Locale } from "@/lib/platform/i18n/locales";
import { instant } from "@/lib/platform/instant";
import type { REPLY_STATES } from "@/lib/reviews/rules";

/** Only published ones; with `exists` Postgres would read all replies, so that they are read for each review. */
const reviewListQuery = declareQuery<MerchantReviewsInput>({
  table: "reviews r",
  columns: "id, product_id, rating, locale, demo, created_at",
  order: [timeKey("r.created_at"), idKey("r.id")],
  always: sql`r.state = 'published'`,
  checks: {
    product_id: (id) => sql`r.product_id = ${id}`,
    rating: (rating) => sql`r.rating = ${rating}`,
    replied: (replied) =>
      sql`((select x.review_id from review_replies x where x.review_id = r.id limit 1) is not null) = ${replied}`,
  },
  walked: ({ replied }) => (replied === undefined ? WALKED_ROWS : WALKED_ROWS / 2),
});

type Row = Omit<MerchantReview, "reply"> & {
  reply_text: string | null;
  reply_locale: string | null;
  reply_state: (typeof REPLY_STATES)[number] | null;
  reply_at: string | null;
  reply_decided_at: string | null;
  reply_note: string | null;
};

/**
 * The published reviews of the merchant's products without their authors, newest first, each with the merchant's reply.
 * @throws ShopError cursor_invalid
 */
export async function listMerchantReviews(
  viewer: MerchantViewer,
  input: MerchantReviewsInput,
  locale: Locale,
): Promise<MerchantReviewList> {
  const query = reviewListQuery(input, { key: idKey("r.merchant_id"), value: viewer.merchant.id });
  const rows = await listDb.execute<Row & RowMarks>(sql`
    with ${pageSql(query, input, SCREEN)}
    select w.id as review_id, w.product_id, coalesce(t.name, translate_product_text(e.name, ${locale})) as product_name, w.rating, v.title, v.content,
      w.locale as language, w.demo, w.created_at, y.text as reply_text, y.locale as reply_locale, y.state as reply_state,
      y.created_at as reply_at, y.decided_at as reply_decided_at, y.note as reply_note, ${ROW_MARKS}
    from page w join reviews v on v.id = w.id
    left join lateral (select * from review_replies x where x.review_id = w.id limit 1) y on true
    left join product_texts t on t.product_id = w.product_id and t.locale = ${locale}
    left join product_texts e on e.product_id = w.product_id and e.locale = 'en'
    order by w.place`);
  const list = await toPage(query, input, SCREEN, rows, toMerchantReview);
  const texts = await maskCodes(
    list.items.flatMap(({ title, content }) =>
      [title, content].map((text) => ({ text, scope: { merchantId: viewer.merchant.id } })),
    ),
  );
  const items = list.items.map((item, i) => ({ ...item, title: texts[2 * i]!, content: texts[2 * i + 1]! }));
  return { ...list, items };
}

function toMerchantReview({
  reply_text,
  reply_locale,
  reply_state,
  reply_at,
  reply_decided_at,
  reply_note,
  ...row
}: Row): MerchantReview {
  const hasReply = reply_text !== null && reply_state !== null && reply_at !== null;
  return {
    ...row,
    created_at: instant(row.created_at),
    reply: hasReply
      ? {
          text: reply_text,
          language: reply_locale ?? "en",
          state: reply_state,
          written_at: instant(reply_at),
          decided_at: instant(reply_decided_at),
          note: reply_note,
        }
      : null,
  };
}
