import { type SQL, sql } from "drizzle-orm";
import { listDb } from "@/db/client";
import { maskCodes } from "@/lib/delivery/code-text/queries";
import { ID_PATTERN, TIME_PATTERN } from "@/lib/platform/console/cursor";
import { WALKED_ROWS } from "@/lib/platform/console/list";
import {
  isValue,
  type ListPlan,
  pageSql,
  ROW_MARKS,
  type RowMarks,
  SCREEN,
  type SortKey,
  toPage,
} from "@/lib/platform/console/query";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { ConsoleReview, ConsoleReviewList, ConsoleReviewsInput } from "@/lib/staff/reviews/contract";

const BY_TIME: readonly SortKey[] = [
  { value: sql`r.created_at`, type: "timestamptz", pattern: TIME_PATTERN },
  { value: sql`r.id`, type: "text", pattern: ID_PATTERN },
];
const STATE: SortKey = { value: sql`r.state`, type: "text", pattern: ID_PATTERN };
const PRODUCT: SortKey = { value: sql`r.product_id`, type: "int", pattern: ID_PATTERN };
const COLUMNS = sql.raw(
  "r.id, r.state, r.rating, r.title, r.content, r.locale, r.product_id, r.user_id, r.order_id, r.demo, r.created_at, r.hidden_at, r.hidden_reason",
);

/** Reads reviews by author, by product, by state, or by time. */
function planReviews({ state, rating, product_id, email, from, to }: ConsoleReviewsInput): ListPlan {
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
  if (from) dates.push(sql`r.created_at >= ${`${from}T00:00:00Z`}::timestamptz`);
  if (to) dates.push(sql`r.created_at < ${`${to}T00:00:00Z`}::timestamptz + interval '1 day'`);
  if (rating !== undefined) filters.push(sql`r.rating = ${rating}`);
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

/**
 * A page of reviews for moderation, with capped total; each statement reads at most 2,100 rows.
 * @throws ShopError cursor_invalid
 */
export async function listConsoleReviews(
  input: ConsoleReviewsInput,
  locale: Locale,
): Promise<ConsoleReviewList> {
  const plan = planReviews(input);
  const rows = await listDb.execute<ConsoleReview & RowMarks>(sql`
    with ${pageSql(plan, input, SCREEN)}
    select w.id as review_id, w.state, w.rating, w.title, w.content, w.locale, w.product_id, p.slug,
      coalesce(t.name, e.name) as product_name, w.user_id as customer_id, u.email, w.order_id, w.demo, w.created_at, w.hidden_at,
      w.hidden_reason, ${ROW_MARKS}
    from page w join products p on p.id = w.product_id join users u on u.id = w.user_id
    left join product_texts t on t.product_id = p.id and t.locale = ${locale}
    left join product_texts e on e.product_id = p.id and e.locale = 'en'
    order by w.place`);
  const list = await toPage(plan, input, SCREEN, rows, (row) => ({
    ...row,
    created_at: new Date(row.created_at).toISOString(),
    hidden_at: row.hidden_at && new Date(row.hidden_at).toISOString(),
  }));
  const texts = await maskCodes(
    list.items.flatMap(({ title, content, hidden_reason }) => [title, content, hidden_reason]),
  );
  const items = list.items.map((item, i) => ({
    ...item,
    title: texts[3 * i]!,
    content: texts[3 * i + 1]!,
    hidden_reason: texts[3 * i + 2]!,
  }));
  return { ...list, items };
}
