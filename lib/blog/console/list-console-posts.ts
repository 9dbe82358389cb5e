import { sql } from "drizzle-orm";
import { db, listDb } from "@/db/client";
import { declareQuery, numberKey, timeKey, withTimes } from "@/lib/platform/console/declare-query";
import { WALKED_ROWS_WITH_PARTS } from "@/lib/platform/console/list";
import { markColumns, pageSql, type RowMarks, SCREEN, toPage } from "@/lib/platform/console/query";
import type { Locale } from "@/lib/platform/i18n/locales";
import { ConsolePostItem, type ConsolePostList, type ConsolePostsInput } from "./contract";

export const DAY = sql`to_char(p.published_at at time zone 'UTC', 'YYYY-MM-DD')`;

const WALKED_POSTS = 400;

const postListQuery = declareQuery<ConsolePostsInput>({
  table: "posts p",
  columns: "id, slug, author, category, recommended, listed, edited, published_at, updated_at",
  order: [timeKey("p.published_at"), numberKey("p.id")],
  checks: {
    state: (state) => sql`p.listed = ${state === "published"}`,
    category: (category) => sql`p.category = ${category}`,
    q: (q) => sql`(strpos(p.slug, lower(${q})) > 0 or (select t.post_id from post_texts t
      where t.post_id = p.id and strpos(lower(t.title), lower(${q})) > 0 limit 1) is not null)`,
  },
  // A search reads the three texts of each post.
  walked: ({ q }) => (q ? WALKED_POSTS : WALKED_ROWS_WITH_PARTS),
});

/** The posts for staff, drafts too, the newest first. @throws ShopError cursor_invalid */
export async function listConsolePosts(input: ConsolePostsInput, locale: Locale): Promise<ConsolePostList> {
  const query = postListQuery(input);
  const rows = await listDb.execute<ConsolePostItem & RowMarks>(sql`
    with ${pageSql(query, input, SCREEN)}
    select p.id as post_id, p.slug, p.author, p.category, p.recommended, p.listed, p.edited,
      ${DAY} as published_on, p.updated_at,
      coalesce(nullif(t.title, ''), (select e.title from post_texts e where e.post_id = p.id and e.locale = 'en'), '') as title,
      ${markColumns("p")}
    from page p left join post_texts t on t.post_id = p.id and t.locale = ${locale} order by p.place`);
  return toPage(query, input, SCREEN, rows, withTimes(ConsolePostItem));
}

/** The categories that a post can have, by their order. */
export async function listPostCategories(locale: Locale): Promise<{ slug: string; name: string }[]> {
  const rows = await db.execute<{ slug: string; name: string }>(sql`
    select slug, coalesce(names ->> ${locale}, names ->> 'en') as name from categories order by sort_num, slug`);
  return [...rows];
}
