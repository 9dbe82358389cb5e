import { z } from "zod";
import { SLUG_PATTERN } from "@/lib/catalog/rules";
import { CalendarDay, ContentLanguage, Instant, IntParam, inEveryLanguage } from "@/lib/platform/api/fields";
import { Cursor, listOf, NewestFirst } from "@/lib/platform/console/list";

/** Bytes of a post with its texts in three languages. */
export const POST_LIMIT_BYTES = 640 * 1024;
const BODY_LENGTH = 60_000;

const Hash = z.string().regex(/^[0-9a-f]{64}$/);
const OneLine = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^\P{Cc}*$/u)
    .trim();

const DraftText = z.object({
  title: OneLine(160),
  description: OneLine(400),
  /** Markdown */
  body: z
    .string()
    .max(BODY_LENGTH)
    .transform((text) => text.replace(/\r\n?/g, "\n").trim()),
});

/** POST /admin/posts, /admin/posts/{id}: the fields of `post.json` and the texts. A draft may lack texts. */
export const PostInput = z.object({
  slug: z
    .string()
    .trim()
    .min(1)
    .max(80)
    .regex(SLUG_PATTERN)
    .regex(/[a-z]/)
    .meta({ example: "how-long-a-pass" }),
  author: OneLine(80),
  category: z.string().min(1).max(60).meta({ example: "writing" }),
  /** the hash of a picture that the shop has; null: none */
  image: Hash.nullable().meta({ example: null }),
  recommended: z.boolean(),
  /** slugs of related products, best first */
  related: z.array(z.string().max(80).regex(SLUG_PATTERN)).max(6),
  published_on: CalendarDay,
  /** false: a draft, which only staff see */
  listed: z.boolean(),
  texts: inEveryLanguage(DraftText),
});
export type PostInput = z.output<typeof PostInput>;
/** The same with the revision that was edited: a post that someone else has saved since is not overwritten. */
export const PostSaveInput = PostInput.extend({ revision: z.int().min(1).max(2_000_000_000) });
export type PostSaveInput = z.output<typeof PostSaveInput>;
export const PostSaved = z.object({
  post_id: z.int(),
  revision: z.int(),
  slug: z.string(),
  listed: z.boolean(),
});
export type PostSaved = z.output<typeof PostSaved>;

export const ConsolePostParams = z.object({ id: IntParam.min(1).max(2_147_483_647) });

/** GET /admin/posts: the newest first, drafts too. */
export const ConsolePostsInput = z.object({
  cursor: Cursor,
  sort: NewestFirst,
  state: z.enum(["draft", "published"]).optional(),
  category: z.string().min(1).max(60).optional(),
  /** a part of the address or of a title */
  q: z.string().trim().min(1).max(80).optional(),
});
export type ConsolePostsInput = z.output<typeof ConsolePostsInput>;
export const ConsolePostItem = z.object({
  post_id: z.int(),
  slug: z.string(),
  /** in the language of the request; "" in a draft without it */
  title: z.string(),
  author: z.string(),
  category: z.string(),
  recommended: z.boolean(),
  listed: z.boolean(),
  /** edited in the console since its last import */
  edited: z.boolean(),
  published_on: z.string(),
  updated_at: Instant,
});
export type ConsolePostItem = z.output<typeof ConsolePostItem>;
export const ConsolePostList = listOf(ConsolePostItem);
export type ConsolePostList = z.output<typeof ConsolePostList>;

const Text = z.object({ title: z.string(), description: z.string(), body: z.string() });
/** GET /admin/posts/{id} */
export const ConsolePost = z.object({
  post_id: z.int(),
  revision: z.int(),
  slug: z.string(),
  author: z.string(),
  category: z.string(),
  image: z.string().nullable(),
  recommended: z.boolean(),
  related: z.array(z.string()),
  published_on: z.string(),
  listed: z.boolean(),
  edited: z.boolean(),
  texts: inEveryLanguage(Text),
});
export type ConsolePost = z.output<typeof ConsolePost>;

/** POST /admin/post-preview: a text in one language as the site shows it, and what prevents publishing it. */
export const PostPreviewInput = z.object({ locale: ContentLanguage, text: DraftText });
export type PostPreviewInput = z.output<typeof PostPreviewInput>;
export const PostPreview = z.object({
  title: z.string(),
  description: z.string(),
  html: z.string(),
  reading_minutes: z.int(),
  problems: z.array(z.object({ field: z.string(), line: z.int().nullable(), message: z.string() })),
});
export type PostPreview = z.output<typeof PostPreview>;

/** GET /admin/images: pictures that the shop has, those of posts first. */
export const PostPictures = z.object({
  items: z.array(z.object({ hash: z.string(), width: z.int(), height: z.int(), used_by: z.string() })),
  total: z.int(),
});
export type PostPictures = z.output<typeof PostPictures>;
