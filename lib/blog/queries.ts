import type postgres from "postgres";
import { client } from "@/db/client";
import { foldText } from "@/lib/catalog/rules-search";
import { ShopError } from "@/lib/errors";
import type { Locale } from "@/lib/i18n";
import { fillPlaceholders, markdownToHtml, plainText } from "@/lib/markdown";
import { localizedPath, type Surface } from "@/lib/navigation";
import type { ListPostsInput, PostDetail, PostItem, PostListView, PostPage } from "./contract";
import { HOT_DAYS, type PostList, readingMinutes, ruleNumbers, SIDE_SIZE } from "./rules";

type Row = Omit<PostItem, "published_at" | "updated_at" | "reading_minutes" | "language"> & {
  published_at: string;
  updated_at: string;
  body: string;
  related: string[];
  total: number;
};

const columns = (sql: postgres.Sql, locale: Locale) => sql`
  p.id as post_id, p.slug, t.title, t.description, t.body, p.author, p.category, p.recommended, p.related,
  coalesce(c.names ->> ${locale}, c.names ->> 'en') as category_name, c.hue,
  p.published_at, p.updated_at, count(*) over ()::int as total`;

const tables = (sql: postgres.Sql, locale: Locale) => sql`
  posts p join post_texts t on t.post_id = p.id and t.locale = ${locale} join categories c on c.slug = p.category`;

/** The order of each list; the hot one counts what was read in the last 30 days. */
function orderOf(sql: postgres.Sql, type: PostList) {
  const newest = sql`p.published_at desc, p.id desc`;
  if (type === "recommended") return sql`p.recommended desc, ${newest}`;
  if (type === "newest") return newest;
  return sql`(select count(*) from visits v where v.path = '/blog/detail/' || p.slug
    and v.created_at > shop_now() - make_interval(days => ${HOT_DAYS})) desc, p.recommended desc, ${newest}`;
}

/** Every word must occur in title, description or text; letters are compared as the catalogue's search does. */
function matches(sql: postgres.Sql, keyword: string) {
  const words = foldText(keyword).replaceAll("\0", "").split(/\s+/u).filter(Boolean).slice(0, 12);
  if (words.length === 0) return sql``;
  return sql`and (select bool_and(strpos(folded.text, w.word) > 0)
    from jsonb_array_elements_text(${JSON.stringify(words)}::text::jsonb) as w(word),
      (select lower(normalize(regexp_replace(normalize(t.title || ' ' || t.description || ' ' || t.body, NFKD),
        '[\u0300-\u036f]', '', 'g'), NFC)) as text) folded)`;
}

/** A page of posts (`GET /blog/list`): the newest, the most read, or the recommended ones; with words, what they find. */
export async function listPosts(input: ListPostsInput, locale: Locale): Promise<PostListView> {
  const sql = client();
  const rows = await sql<Row[]>`
    select ${columns(sql, locale)} from ${tables(sql, locale)}
    where p.listed ${input.type === "recommended" ? sql`and p.recommended` : sql``} ${matches(sql, input.keyword)}
    order by ${orderOf(sql, input.type)} limit ${input.size} offset ${(input.page - 1) * input.size}`;
  return { posts: rows.map((row) => itemOf(row, locale)), total: rows[0]?.total ?? 0 };
}

/**
 * A post with its neighbours by publication (`GET /blog/detail/{id}`), by number or slug. Its links are those of the
 * surface.
 * @throws ShopError post_unknown
 */
export async function getPostPage(
  id: string,
  locale: Locale,
  surface: Surface = "desktop",
): Promise<PostPage> {
  const page = await findPostPage(id, locale, surface);
  if (!page) throw new ShopError("post_unknown");
  return page;
}

/** The same as `getPostPage`, or null. */
export async function findPostPage(id: string, locale: Locale, surface: Surface): Promise<PostPage | null> {
  const sql = client();
  const which = /^\d{1,9}$/.test(id) ? sql`p.id = ${Number(id)}` : sql`p.slug = ${id.replaceAll("\0", "")}`;
  const [row] = await sql<Row[]>`
    select ${columns(sql, locale)} from ${tables(sql, locale)} where p.listed and ${which}`;
  if (!row) return null;
  const at = sql`(${row.published_at}::timestamptz, ${row.post_id}::int)`;
  const [[previous], [next]] = await Promise.all([
    sql<Row[]>`select ${columns(sql, locale)} from ${tables(sql, locale)}
      where p.listed and (p.published_at, p.id) < ${at} order by p.published_at desc, p.id desc limit 1`,
    sql<Row[]>`select ${columns(sql, locale)} from ${tables(sql, locale)}
      where p.listed and (p.published_at, p.id) > ${at} order by p.published_at, p.id limit 1`,
  ]);
  return {
    post: detailOf(row, locale, surface),
    previous: previous ? itemOf(previous, locale) : null,
    next: next ? itemOf(next, locale) : null,
  };
}

/** What stands beside the list: the most read and the recommended posts. */
export async function listBesides(locale: Locale): Promise<{ hot: PostItem[]; recommended: PostItem[] }> {
  const short = (type: PostList) => listPosts({ type, keyword: "", page: 1, size: SIDE_SIZE }, locale);
  const [hot, recommended] = await Promise.all([short("hot"), short("recommended")]);
  return { hot: hot.posts, recommended: recommended.posts };
}

function itemOf(row: Row, locale: Locale): PostItem {
  const { body, related: _, total: __, published_at, updated_at, ...item } = row;
  return {
    ...item,
    published_at: new Date(published_at).toISOString(),
    updated_at: new Date(updated_at).toISOString(),
    reading_minutes: readingMinutes(plainText(body)),
    language: locale,
  };
}

function detailOf(row: Row, locale: Locale, surface: Surface): PostDetail {
  const markdown = fillPlaceholders(row.body, ruleNumbers(locale));
  const html = markdownToHtml(markdown, (path) => localizedPath(path, { locale, surface }));
  return { ...itemOf(row, locale), html, related: row.related };
}
