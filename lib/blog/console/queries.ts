import { type SQL, sql } from "drizzle-orm";
import { type Db, db, listDb } from "@/db/client";
import { findContentProblems } from "@/lib/blog/import/rules";
import { draftFigureImage, placeholderValues, readingMinutes } from "@/lib/blog/rules";
import { DRAWING, PLACEHOLDER } from "@/lib/catalog/images/rules";
import { pictureSize } from "@/lib/catalog/images/validate-picture";
import { ID_PATTERN, TIME_PATTERN } from "@/lib/platform/console/cursor";
import { WALKED_ROWS_WITH_PARTS } from "@/lib/platform/console/list";
import {
  type ListPlan,
  markColumns,
  pageSql,
  type RowMarks,
  rowCount,
  SCREEN,
  toPage,
} from "@/lib/platform/console/query";
import { fillKnownPlaceholders, plainText } from "@/lib/platform/content/content-file";
import { markdownToHtml } from "@/lib/platform/content/markdown";
import { reasonIn } from "@/lib/platform/error-messages";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { instant } from "@/lib/platform/instant";
import { memoryCache } from "@/lib/platform/memory-cache";
import { localizedPath } from "@/lib/platform/routing/paths";
import type {
  ConsolePost,
  ConsolePostItem,
  ConsolePostList,
  ConsolePostsInput,
  PostPictures,
  PostPreview,
  PostPreviewInput,
} from "./contract";

const DAY = sql`to_char(p.published_at at time zone 'UTC', 'YYYY-MM-DD')`;

const WALKED_POSTS = 400;

function planPosts({ state, category, q }: ConsolePostsInput): ListPlan {
  const filters: SQL[] = [];
  if (state) filters.push(sql`p.listed = ${state === "published"}`);
  if (category) filters.push(sql`p.category = ${category}`);
  if (q)
    filters.push(sql`(strpos(p.slug, lower(${q})) > 0 or (select t.post_id from post_texts t
      where t.post_id = p.id and strpos(lower(t.title), lower(${q})) > 0 limit 1) is not null)`);
  return {
    from: sql`posts p`,
    alias: sql`p`,
    columns: sql`p.id, p.slug, p.author, p.category, p.recommended, p.listed, p.edited, p.published_at, p.updated_at`,
    indexed: [],
    filters,
    // A search reads the three texts of each post.
    walked: q ? WALKED_POSTS : WALKED_ROWS_WITH_PARTS,
    sort: [
      { value: sql`p.published_at`, type: "timestamptz", pattern: TIME_PATTERN },
      { value: sql`p.id`, type: "int", pattern: ID_PATTERN },
    ],
    at: sql`p.published_at`,
  };
}

/** The posts for staff, drafts too, the newest first. @throws ShopError cursor_invalid */
export async function listConsolePosts(input: ConsolePostsInput, locale: Locale): Promise<ConsolePostList> {
  const plan = planPosts(input);
  const rows = await listDb.execute<ConsolePostItem & RowMarks>(sql`
    with ${pageSql(plan, input, SCREEN)}
    select p.id as post_id, p.slug, p.author, p.category, p.recommended, p.listed, p.edited,
      ${DAY} as published_on, p.updated_at,
      coalesce(nullif(t.title, ''), (select e.title from post_texts e where e.post_id = p.id and e.locale = 'en'), '') as title,
      ${markColumns("p")}
    from page p left join post_texts t on t.post_id = p.id and t.locale = ${locale} order by p.place`);
  return toPage(plan, input, SCREEN, rows, (row) => ({
    ...row,
    updated_at: instant(row.updated_at),
  }));
}

/** A post as its editor shows it. @throws ShopError post_unknown */
export async function getConsolePost(id: number, within: Db = db): Promise<ConsolePost> {
  const [post] = await within.execute<ConsolePost>(sql`
    select p.id as post_id, p.revision, p.slug, p.author, p.category, nullif(p.image, ${PLACEHOLDER}) as image,
      p.recommended, p.related, ${DAY} as published_on, p.listed, p.edited,
      (select json_object_agg(t.locale, json_build_object('title', t.title, 'description', t.description, 'body', t.body))
        from post_texts t where t.post_id = p.id) as texts
    from posts p where p.id = ${id}`);
  if (!post) throw new ShopError("post_unknown");
  return post;
}

/** The categories that a post can have, by their order. */
export async function listPostCategories(locale: Locale): Promise<{ slug: string; name: string }[]> {
  const rows = await db.execute<{ slug: string; name: string }>(sql`
    select slug, coalesce(names ->> ${locale}, names ->> 'en') as name from categories order by sort_num, slug`);
  return [...rows];
}

/** A text as the site shows it, with its links and figures, and, in the writer's language, what stands against publishing it. */
export function previewPost({ locale, text }: PostPreviewInput, language: Locale): PostPreview {
  const values = placeholderValues(locale);
  const markdown = fillKnownPlaceholders(text.body, values);
  return {
    title: fillKnownPlaceholders(text.title, values),
    description: fillKnownPlaceholders(text.description, values),
    html: markdownToHtml(markdown, (path) => localizedPath(path, { locale, surface: "desktop" }), {
      figure: draftFigureImage,
    }),
    reading_minutes: readingMinutes(plainText(text.body)),
    problems: findContentProblems(text, locale).map(({ field, line, ...why }) => ({
      field,
      line: line ?? null,
      message: reasonIn(language, why),
    })),
  };
}

const MAX_PICTURES = 120;

/** The newest posts and products, whose pictures are offered. */
const PICTURED_POSTS = 100;
const PICTURED_PRODUCTS = 200;

/** The sizes of pictures, which never change under their hashes. */
const pictureSizes = memoryCache<{ width: number; height: number }>("picture-sizes", {
  maxBytes: 2 * 1024 * 1024,
  sizeOf: () => 16,
});

async function readPictureSize(hash: string) {
  const [picture] = await db.execute<{ bytes: Buffer }>(
    sql`select coalesce(drawn, bytes) as bytes from product_images
      where hash = ${hash} and (mime <> ${DRAWING} or length(drawn) > 0)`,
  );
  return picture && pictureSize(picture.bytes);
}

/** Pictures that a post can show: those of the newest posts, then those of the newest products. */
export async function listPostPictures(): Promise<PostPictures> {
  const used = await listDb.execute<{ hash: string; used_by: string }>(sql`
    with newest as materialized (
      select id, slug, image from posts order by published_at desc, id desc limit ${rowCount(PICTURED_POSTS)}),
    used as (
      select image as hash, slug, 1 as place, id from newest
      union all select m[1], p.slug, 1, p.id from newest p join post_texts t on t.post_id = p.id,
        regexp_matches(t.body, '\\]\\(figure/([0-9a-f]{64})/', 'g') as m
      union all (select image, slug, 2, id from products order by id desc limit ${rowCount(PICTURED_PRODUCTS)})),
    first as (select distinct on (hash) hash, slug, place, id from used order by hash, place, id)
    select hash, slug as used_by from first order by place, id limit ${rowCount(MAX_PICTURES)}`);
  const items: PostPictures["items"] = [];
  for (const { hash, used_by } of used) {
    const size = await pictureSizes.get(hash, () => readPictureSize(hash));
    if (size) items.push({ hash, ...size, used_by });
  }
  return { items, total: items.length };
}
