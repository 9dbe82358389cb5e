import { type SQL, sql } from "drizzle-orm";
import { listDb } from "@/db/client";
import { maskCodes } from "@/lib/delivery/code-text/find-codes";
import type {
  MerchantReview,
  MerchantReviewList,
  MerchantReviewsInput,
} from "@/lib/merchants/replies/contract";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { ID_PATTERN, TIME_PATTERN } from "@/lib/platform/console/cursor";
import { WALKED_ROWS } from "@/lib/platform/console/list";
import {
  type ConsoleListQuery,
  isValue,
  pageSql,
  ROW_MARKS,
  type RowMarks,
  SCREEN,
  type SortKey,
  toPage,
} from "@/lib/platform/console/query";
import type { Locale } from "@/lib/platform/i18n/locales";
import { instant } from "@/lib/platform/instant";
import type { REPLY_STATES } from "@/lib/reviews/rules";

const BY_TIME: readonly SortKey[] = [
  { value: sql`r.created_at`, type: "timestamptz", pattern: TIME_PATTERN },
  { value: sql`r.id`, type: "text", pattern: ID_PATTERN },
];
const MERCHANT: SortKey = { value: sql`r.merchant_id`, type: "text", pattern: ID_PATTERN };

function reviewListQuery(
  { merchant }: MerchantViewer,
  { product_id, rating, replied }: MerchantReviewsInput,
): ConsoleListQuery {
  const filters: SQL[] = [];
  if (product_id !== undefined) filters.push(sql`r.product_id = ${product_id}`);
  if (rating !== undefined) filters.push(sql`r.rating = ${rating}`);
  if (replied !== undefined)
    // Read for each review; with `exists` Postgres would read all replies.
    filters.push(
      sql`((select x.review_id from review_replies x where x.review_id = r.id limit 1) is not null) = ${replied}`,
    );
  return {
    from: sql`reviews r`,
    alias: sql`r`,
    columns: sql.raw("r.id, r.product_id, r.rating, r.locale, r.demo, r.created_at"),
    indexed: [isValue(MERCHANT, merchant.id), sql`r.state = 'published'`],
    filters,
    walked: replied === undefined ? WALKED_ROWS : WALKED_ROWS / 2,
    sort: [MERCHANT, ...BY_TIME],
    at: sql`r.created_at`,
  };
}

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
  const query = reviewListQuery(viewer, input);
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
