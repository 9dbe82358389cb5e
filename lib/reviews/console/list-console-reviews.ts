import { type SQL, sql } from "drizzle-orm";
import { listDb } from "@/db/client";
import { ID_PATTERN, TIME_PATTERN } from "@/lib/platform/console/cursor";
import { type QueueState, WALKED_ROWS } from "@/lib/platform/console/list";
import {
  type ConsoleListQuery,
  countQueue,
  daysSql,
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
import type { ConsoleReview, ConsoleReviewList, ConsoleReviewsInput } from "@/lib/reviews/console/contract";
import { REVIEW_VERSION } from "@/lib/reviews/moderation/moderate-review";
import { REPLY_VERSION } from "@/lib/reviews/reply-version-sql";

const BY_TIME: readonly SortKey[] = [
  { value: sql`r.created_at`, type: "timestamptz", pattern: TIME_PATTERN },
  { value: sql`r.id`, type: "text", pattern: ID_PATTERN },
];
const STATE: SortKey = { value: sql`r.state`, type: "text", pattern: ID_PATTERN };
const PRODUCT: SortKey = { value: sql`r.product_id`, type: "int", pattern: ID_PATTERN };
const RATING: SortKey = { value: sql`r.rating`, type: "int", pattern: ID_PATTERN };
const COLUMNS = sql.raw(
  "r.id, r.state, r.rating, r.title, r.content, r.locale, r.product_id, r.user_id, r.order_id, r.demo, r.created_at, r.hidden_at, r.hidden_reason",
);

const REPLY_STATE: SortKey = { value: sql`y.state`, type: "text", pattern: ID_PATTERN };
const BY_REPLY: readonly SortKey[] = [
  REPLY_STATE,
  { value: sql`y.created_at`, type: "timestamptz", pattern: TIME_PATTERN },
  { value: sql`y.review_id`, type: "text", pattern: ID_PATTERN },
];

/** Reads the replies in a state with their reviews, the oldest first. */
function replyListQuery(input: ConsoleReviewsInput, state: string): ConsoleListQuery {
  const { product_id, email, rating } = input;
  const filters: SQL[] = [];
  if (input.state) filters.push(sql`r.state = ${input.state}`);
  if (product_id !== undefined) filters.push(sql`r.product_id = ${product_id}`);
  if (rating !== undefined) filters.push(sql`r.rating = ${rating}`);
  if (email !== undefined)
    filters.push(sql`r.user_id = (select u.id from users u where lower(u.email) = ${email})`);
  filters.push(...daysSql(sql`r.created_at`, input));
  return {
    from: sql`review_replies y cross join lateral (select * from reviews x where x.id = y.review_id limit 1) r`,
    alias: sql`r`,
    columns: COLUMNS,
    indexed: [isValue(REPLY_STATE, state)],
    filters,
    walked: WALKED_ROWS / 2,
    sort: BY_REPLY,
    ascending: true,
    at: sql`y.created_at`,
  };
}

/** Reads reviews by the state of their reply, by author, by product, by state, by rating, or by time. */
function reviewListQuery(input: ConsoleReviewsInput): ConsoleListQuery {
  const { state, rating, product_id, email, reply } = input;
  if (reply) return replyListQuery(input, reply);
  const filters: SQL[] = [];
  const indexed: SQL[] = [];
  let lead: SortKey | undefined;
  if (product_id !== undefined && email === undefined) {
    lead = PRODUCT;
    indexed.push(isValue(PRODUCT, String(product_id)));
  } else if (product_id !== undefined) filters.push(sql`r.product_id = ${product_id}`);
  if (state && email === undefined && !lead) {
    lead = STATE;
    indexed.push(isValue(STATE, state));
  } else if (state) filters.push(sql`r.state = ${state}`);
  const dates = email === undefined ? indexed : filters;
  dates.push(...daysSql(sql`r.created_at`, input));
  if (rating !== undefined && email === undefined && !lead) {
    lead = RATING;
    indexed.push(isValue(RATING, String(rating)));
  } else if (rating !== undefined) filters.push(sql`r.rating = ${rating}`);
  return {
    // `offset 0` keeps an author's reviews together: else the planner would look for them along all reviews.
    from:
      email === undefined
        ? sql`reviews r`
        : sql`(select * from reviews where user_id = (select u.id from users u where lower(u.email) = ${email}) offset 0) r`,
    alias: sql`r`,
    columns: COLUMNS,
    indexed,
    filters,
    walked: WALKED_ROWS,
    sort: lead ? [lead, ...BY_TIME] : BY_TIME,
    at: sql`r.created_at`,
  };
}

type Row = Omit<ConsoleReview, "reply"> & {
  reply_text: string | null;
  reply_locale: string | null;
  reply_state: NonNullable<ConsoleReview["reply"]>["state"] | null;
  reply_at: string | null;
  reply_note: string | null;
  reply_merchant: string | null;
  reply_version: string | null;
};

function toConsoleReview(row: Row): ConsoleReview {
  const {
    reply_text,
    reply_locale,
    reply_state,
    reply_at,
    reply_note,
    reply_merchant,
    reply_version,
    ...review
  } = row;
  const reply =
    reply_text !== null && reply_state !== null && reply_at !== null
      ? {
          text: reply_text,
          locale: reply_locale ?? "en",
          state: reply_state,
          merchant: reply_merchant ?? "",
          written_at: instant(reply_at),
          note: reply_note,
          version: reply_version ?? "",
        }
      : null;
  return {
    ...review,
    created_at: instant(review.created_at),
    hidden_at: instant(review.hidden_at),
    reply,
  };
}

/** Replies of merchants that wait for staff, the oldest first. */
export const countWaitingReplies = (): Promise<QueueState> =>
  countQueue(
    sql`select y.created_at as at from review_replies y where y.state = 'waiting' order by y.created_at`,
  );

/**
 * Masks the activation codes in shoppers' texts: `maskCodes` of lib/delivery/code-text, which this noun may not import.
 */
type MaskCodes = (
  texts: readonly { text: string | null; scope: { shopperId: string; productId: number } }[],
) => Promise<(string | null)[]>;

/**
 * A page of reviews for moderation, with capped total; each statement reads at most 2,100 rows.
 * @throws ShopError cursor_invalid
 */
export async function listConsoleReviews(
  input: ConsoleReviewsInput,
  { locale, maskCodes }: { locale: Locale; maskCodes: MaskCodes },
): Promise<ConsoleReviewList> {
  const query = reviewListQuery(input);
  const rows = await listDb.execute<Row & RowMarks>(sql`
    with ${pageSql(query, input, SCREEN)}
    select w.id as review_id, w.state, w.rating, w.title, w.content, w.locale, w.product_id, p.slug,
      coalesce(t.name, translate_product_text(e.name, ${locale})) as product_name, w.user_id as customer_id, u.email, w.order_id, w.demo, w.created_at, w.hidden_at,
      w.hidden_reason, y.text as reply_text, y.locale as reply_locale, y.state as reply_state, y.created_at as reply_at, y.note as reply_note,
      y.merchant as reply_merchant,
      (select ${REVIEW_VERSION} from reviews r where r.id = w.id) as version, ${REPLY_VERSION} as reply_version, ${ROW_MARKS}
    from page w left join lateral (select x.*, (select m.name from merchants m where m.id = x.merchant_id) as merchant
      from review_replies x where x.review_id = w.id limit 1) y on true
    join products p on p.id = w.product_id join users u on u.id = w.user_id
    left join product_texts t on t.product_id = p.id and t.locale = ${locale}
    left join product_texts e on e.product_id = p.id and e.locale = 'en'
    order by w.place`);
  const list = await toPage(query, input, SCREEN, rows, toConsoleReview);
  const texts = await maskCodes(
    list.items.flatMap(({ title, content, hidden_reason, customer_id, product_id }) =>
      [title, content, hidden_reason].map((text) => ({
        text,
        scope: { shopperId: customer_id, productId: product_id },
      })),
    ),
  );
  const items = list.items.map((item, i) => ({
    ...item,
    title: texts[3 * i]!,
    content: texts[3 * i + 1]!,
    hidden_reason: texts[3 * i + 2]!,
  }));
  return { ...list, items };
}
