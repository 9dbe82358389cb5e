import { sql } from "drizzle-orm";
import { preparedDb } from "@/db/client";
import { listProductsBySlug } from "@/lib/catalog/listing/list-products";
import { fillKnownPlaceholders } from "@/lib/platform/content/content-file";
import { markdownToHtml } from "@/lib/platform/content/markdown";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { addCacheTags } from "@/lib/platform/page-cache/tags";
import { localizedPath, type PageLocation, type Surface } from "@/lib/platform/routing/paths";
import type { PostDetail, PostPage } from "./contract";
import { postColumns, postJoins, type Row, toPostItem } from "./post-rows";
import { figureImage, placeholderValues } from "./rules";

/** SQL: a post by number or slug; no slug is a number. */
export const postCondition = (id: string) =>
  /^\d{1,9}$/.test(id) ? sql`p.id = ${Number(id)}` : sql`p.slug = ${id.replaceAll("\0", "")}`;

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
  addCacheTags("posts");
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

function toPostDetail(row: Row, locale: Locale, surface: Surface): PostDetail {
  const markdown = fillKnownPlaceholders(row.body, placeholderValues(locale));
  const html = markdownToHtml(markdown, (path) => localizedPath(path, { locale, surface }), {
    figure: (target) => figureImage(row.slug, target),
  });
  return { ...toPostItem(row, locale), html, related: row.related };
}

/** The data of a post's page with its related passes; null when there is no such post. */
export async function getPostView(id: string, { locale, surface }: PageLocation) {
  const page = await findPostPage(id, locale, surface);
  if (!page) return null;
  const related = await listProductsBySlug(page.post.related, locale);
  return { page, related: related.items };
}
