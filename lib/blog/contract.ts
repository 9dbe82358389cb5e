import { z } from "zod";
import { ContentLanguage, Instant, IntParam, Page, PageSize } from "@/lib/platform/api/fields";
import { beginning } from "@/lib/platform/beginning";
import { IMAGE_WIDTHS } from "@/lib/platform/images/widths";
import { BLOG_SIZE, POST_LISTS } from "./rules";

export const PostItem = z.object({
  post_id: z.int(),
  slug: z.string(),
  title: z.string(),
  description: z.string(),
  author: z.string(),
  category: z.string(),
  category_name: z.string(),
  /** address of its picture; `width` chooses the size */
  image: z.string(),
  /** hue of the picture, in degrees */
  hue: z.int(),
  recommended: z.boolean(),
  published_at: Instant,
  updated_at: Instant,
  reading_minutes: z.int(),
  language: ContentLanguage,
});
export type PostItem = z.output<typeof PostItem>;

export const PostListView = z.object({ posts: z.array(PostItem), total: z.int() });
export type PostListView = z.output<typeof PostListView>;

/** A post with its text: sanitised HTML whose internal links are desktop addresses of the language. */
export const PostDetail = PostItem.extend({ html: z.string(), related: z.array(z.string()) });
export type PostDetail = z.output<typeof PostDetail>;

export const PostPage = z.object({
  post: PostDetail,
  /** the posts published before and after it */
  previous: PostItem.nullable(),
  next: PostItem.nullable(),
});
export type PostPage = z.output<typeof PostPage>;

export const ListPostsInput = z.object({
  type: z.enum(POST_LISTS).default("newest"),
  keyword: z.string().trim().max(200).default(""),
  page: Page,
  size: PageSize,
});
export type ListPostsInput = z.output<typeof ListPostsInput>;

/** A number or a slug. */
export const PostParams = z.object({ id: z.string().regex(/^[\w-]{1,120}$/) });

/** Parses the query of `/blog`; invalid values count as absent. */
export function parseBlogQuery(query: Record<string, string | string[] | undefined>): ListPostsInput {
  const firstValue = (name: string) => [query[name]].flat()[0] ?? "";
  const keyword = beginning(firstValue("q").trim(), 200);
  const page = /^[1-9]\d{0,2}$/.test(firstValue("page")) ? Number(firstValue("page")) : 1;
  return { type: "newest", keyword, page, size: BLOG_SIZE };
}

/** The picture's width in pixels, and its version. */
export const PostImageQuery = z.object({
  width: IntParam.pipe(z.literal(IMAGE_WIDTHS)).default(480),
  v: z.string().max(64).optional(),
  /** the hash of a figure in the text; without it the post's own picture */
  figure: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
});
