import { sql } from "drizzle-orm";
import { preparedDb, replicaDb } from "@/db/client";
import { listProductsBySlug } from "@/lib/catalog/listing/list-products";
import { searchFold } from "@/lib/catalog/search/rules-text";
import { fillKnownPlaceholders, plainText } from "@/lib/platform/content/content-file";
import { markdownToHtml } from "@/lib/platform/content/markdown";
import { ShopError } from "@/lib/platform/errors";
import { LOCALES, type Locale } from "@/lib/platform/i18n/locales";
import { instant } from "@/lib/platform/instant";
import { noteTags } from "@/lib/platform/page-cache/tags";
import type { SitemapPage } from "@/lib/platform/pages/sitemap";
import { localizedPath, type PageLocation, type Surface } from "@/lib/platform/routing/paths";
import {
  type ListPostsInput,
  type PostDetail,
  type PostItem,
  type PostListView,
  type PostPage,
  parseBlogQuery,
} from "./contract";
import {
  figureImage,
  HOT_DAYS,
  type PostList,
  placeholderValues,
  postImagePath,
  readingMinutes,
  SIDEBAR_SIZE,
} from "./rules";

type Row = Omit<PostItem, "reading_minutes" | "language"> & { body: string; related: string[] };

const MAX_WORDS = 12;

const postColumns = (locale: Locale) => sql`
  p.id as post_id, p.slug, t.title, t.description, t.body, p.author, p.category, p.recommended, p.related,
  coalesce(c.names ->> ${locale}, c.names ->> 'en') as category_name, c.hue, p.image,
  p.published_at, p.updated_at`;

const postJoins = (locale: Locale) => sql`
  join post_texts t on t.post_id = p.id and t.locale = ${locale} join categories c on c.slug = p.category`;

/** SQL: a post by number or slug; no slug is a number. */
export const postCondition = (id: string) =>
  /^\d{1,9}$/.test(id) ? sql`p.id = ${Number(id)}` : sql`p.slug = ${id.replaceAll("\0", "")}`;

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
  noteTags("posts");
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

/**
 * A post with its neighbours (`GET /blog/detail/{id}`), by number or slug. Internal links lead to the surface.
 * @throws ShopError post_unknown
 */
export async function getPostPage(id: string, locale: Locale, surface: Surface = "desktop") {
  const page = await findPostPage(id, locale, surface);
  if (!page) throw new ShopError("post_unknown");
  return page;
}

export async function findPostPage(id: string, locale: Locale, surface: Surface): Promise<PostPage | null> {
  noteTags("posts");
  const [row] = await preparedDb.execute<Row>(sql`
    select ${postColumns(locale)} from posts p ${postJoins(locale)} where p.listed and ${postCondition(id)}`);
  if (!row) return null;
  const position = sql`(${row.published_at}::timestamptz, ${row.post_id}::int)`;
  const [[previous], [next]] = await Promise.all([
    preparedDb.execute<Row>(sql`select ${postColumns(locale)} from posts p ${postJoins(locale)}
      where p.listed and (p.published_at, p.id) < ${position} order by p.published_at desc, p.id desc limit 1`),
    preparedDb.execute<Row>(sql`select ${postColumns(locale)} from posts p ${postJoins(locale)}
      where p.listed and (p.published_at, p.id) > ${position} order by p.published_at, p.id limit 1`),
  ]);
  return {
    post: toPostDetail(row, locale, surface),
    previous: previous ? toPostItem(previous, locale) : null,
    next: next ? toPostItem(next, locale) : null,
  };
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

function toPostItem({ body, related: _, ...row }: Row, locale: Locale): PostItem {
  const values = placeholderValues(locale);
  return {
    ...row,
    title: fillKnownPlaceholders(row.title, values),
    description: fillKnownPlaceholders(row.description, values),
    image: postImagePath(row.slug, row.image),
    published_at: instant(row.published_at),
    updated_at: instant(row.updated_at),
    reading_minutes: readingMinutes(plainText(body)),
    language: locale,
  };
}

function toPostDetail(row: Row, locale: Locale, surface: Surface): PostDetail {
  const markdown = fillKnownPlaceholders(row.body, placeholderValues(locale));
  const html = markdownToHtml(markdown, (path) => localizedPath(path, { locale, surface }), {
    figure: (target) => figureImage(row.slug, target),
  });
  return { ...toPostItem(row, locale), html, related: row.related };
}

/** The data of the blog's list page; null past the last page. */
export async function findBlogView(query: Record<string, string | string[] | undefined>, locale: Locale) {
  const list = parseBlogQuery(query);
  const [found, sidebar] = await Promise.all([listPosts(list, locale), listSidebarPosts(locale)]);
  if (list.page > 1 && found.posts.length === 0) return null;
  return { list, found, besides: sidebar };
}

/** The data of a post's page with its related passes; null when there is no such post. */
export async function getPostView(id: string, { locale, surface }: PageLocation) {
  const page = await findPostPage(id, locale, surface);
  if (!page) return null;
  const related = await listProductsBySlug(page.post.related, locale);
  return { page, related: related.items };
}

/** The sitemap file of the posts and its last change; empty without posts. */
export async function listPostSitemaps(): Promise<{ file: string; lastModified: string }[]> {
  const [row] = await replicaDb.execute<{ lastModified: string | null }>(sql`
    select max(updated_at) as "lastModified" from posts where listed`);
  return row?.lastModified ? [{ file: "posts.xml", lastModified: row.lastModified }] : [];
}

/** Every post; the import guarantees all languages. */
export async function* streamPostPages(): AsyncGenerator<SitemapPage> {
  const rows = await replicaDb.execute<{ slug: string; lastModified: string }>(sql`
    select slug, updated_at as "lastModified" from posts where listed order by id`);
  for (const { slug, lastModified } of rows)
    yield { path: `/blog/detail/${slug}`, languages: LOCALES, lastModified };
}
