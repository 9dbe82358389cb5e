import { sql } from "drizzle-orm";
import { preparedDb } from "@/db/client";
import { searchFold } from "@/lib/catalog/search/rules-text";
import type { Locale } from "@/lib/platform/i18n/locales";
import { addCacheTags } from "@/lib/platform/page-cache/tags";
import { type ListPostsInput, type PostItem, type PostListView, parseBlogQuery } from "./contract";
import { postColumns, postJoins, type Row, toPostItem } from "./post-rows";
import { HOT_DAYS, type PostList, placeholderValues, SIDEBAR_SIZE } from "./rules";

const MAX_WORDS = 12;

/** The order of each list; hot counts the views of the last 30 days. */
function orderSql(type: PostList) {
  const newest = sql`p.published_at desc, p.id desc`;
  if (type === "recommended") return sql`p.recommended desc, ${newest}`;
  if (type === "newest") return newest;
  return sql`(select count(*) from visits v where v.path = '/blog/detail/' || p.slug
    and v.created_at > shop_now() - make_interval(days => ${HOT_DAYS})) desc, p.recommended desc, ${newest}`;
}

/** Markdown marks that split words but are not read: emphasis, code, link targets. */
const MARKDOWN_MARKS = "\\]\\([^)]*\\)|[*`[\\]]";

/** SQL: every word occurs in title, description or text, with placeholders filled in. */
function keywordCondition(keyword: string, locale: Locale) {
  const words = searchFold(keyword).replaceAll("\0", " ").split(/\s+/u).filter(Boolean).slice(0, MAX_WORDS);
  if (words.length === 0) return sql``;
  const text = Object.entries(placeholderValues(locale)).reduce(
    (nested, [name, value]) => sql`replace(${nested}, ${`{${name}}`}, ${value})`,
    sql`concat_ws(' ', t.title, t.description, regexp_replace(t.body, ${MARKDOWN_MARKS}, '', 'g'))`,
  );
  return sql`and (select bool_and(strpos(folded.text, w.word) > 0)
    from jsonb_array_elements_text(${JSON.stringify(words)}::text::jsonb) as w(word),
      (select search_fold(${text}) as text) folded)`;
}

/** A page of posts (`GET /blog/list`): newest, hot or recommended; with a keyword, the matching posts. */
export async function listPosts(input: ListPostsInput, locale: Locale): Promise<PostListView> {
  addCacheTags("posts");
  const where = sql`
    p.listed ${input.type === "recommended" ? sql`and p.recommended` : sql``} ${keywordCondition(input.keyword, locale)}`;
  const rows = await preparedDb.execute<Row & { total: number }>(sql`
    select ${postColumns(locale)}, count(*) over ()::int as total from posts p ${postJoins(locale)} where ${where}
    order by ${orderSql(input.type)} limit ${input.size} offset ${(input.page - 1) * input.size}`);
  const posts = rows.map(({ total: _, ...row }) => toPostItem(row, locale));
  if (rows[0] || input.page === 1) return { posts, total: rows[0]?.total ?? 0 };
  // A page past the last one has no row with the total.
  const [totalRow] = await preparedDb.execute<{ total: number }>(sql`
    select count(*)::int as total from posts p ${postJoins(locale)} where ${where}`);
  return { posts, total: totalRow?.total ?? 0 };
}

/** Whether any post was viewed recently; otherwise there is no hot list. */
async function hasRecentViews(): Promise<boolean> {
  const rows = await preparedDb.execute(sql`
    select from posts p where p.listed and exists (select from visits v where v.path = '/blog/detail/' || p.slug
      and v.created_at > shop_now() - make_interval(days => ${HOT_DAYS})) limit 1`);
  return rows.length > 0;
}

/** The lists of the sidebar: hot, recommended and newest posts. */
export async function listSidebarPosts(locale: Locale): Promise<Record<PostList, PostItem[]>> {
  const firstPosts = async (type: PostList) =>
    (await listPosts({ type, keyword: "", page: 1, size: SIDEBAR_SIZE }, locale)).posts;
  const [hot, recommended, newest] = await Promise.all([
    hasRecentViews().then((viewed) => (viewed ? firstPosts("hot") : [])),
    firstPosts("recommended"),
    firstPosts("newest"),
  ]);
  return { hot, recommended, newest };
}

/** The data of the blog's list page; null past the last page. */
export async function findBlogView(query: Record<string, string | string[] | undefined>, locale: Locale) {
  const list = parseBlogQuery(query);
  const [found, sidebar] = await Promise.all([listPosts(list, locale), listSidebarPosts(locale)]);
  if (list.page > 1 && found.posts.length === 0) return null;
  return { list, found, besides: sidebar };
}
