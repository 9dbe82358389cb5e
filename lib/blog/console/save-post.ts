import { eq, sql } from "drizzle-orm";
import { type Tx, transaction } from "@/db/client";
import { posts } from "@/db/schema/blog";
import { findContentProblems } from "@/lib/blog/import/rules";
import { STORED_FIGURE_LINE } from "@/lib/blog/rules";
import { lockPostSlug, writePost } from "@/lib/blog/write-post";
import { PLACEHOLDER } from "@/lib/catalog/images/rules";
import { requireNoCode } from "@/lib/delivery/code-text/find-codes";
import { audit } from "@/lib/platform/audit";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { type Reason, reason, reasonIn } from "@/lib/platform/error-messages";
import { type FieldIssue, ShopError } from "@/lib/platform/errors";
import { LOCALES, type Locale } from "@/lib/platform/i18n/locales";
import type { ConsolePost, PostInput, PostSaved } from "./contract";
import { getConsolePost } from "./get-console-post";

/** Adds a post. @throws ShopError post_slug_taken, post_incomplete, note_has_code */
export async function createPost(viewer: StaffViewer, input: PostInput): Promise<PostSaved> {
  return transaction(async (tx) => {
    await lockPostSlug(tx, input.slug);
    await requireFreeSlug(tx, input.slug, null);
    return save(tx, viewer, input, null);
  });
}

/**
 * Saves a post, unless someone else has saved it since it was opened.
 * @throws ShopError post_unknown, revision_conflict, post_slug_taken, post_slug_fixed, post_incomplete, note_has_code
 */
export async function savePost(
  viewer: StaffViewer,
  id: number,
  { revision, ...input }: PostInput & { revision: number },
): Promise<PostSaved> {
  return transaction(async (tx) => {
    await lockPostSlug(tx, input.slug);
    const [locked] = await tx
      .select({ revision: posts.revision })
      .from(posts)
      .where(eq(posts.id, id))
      .for("update");
    if (!locked) throw new ShopError("post_unknown");
    if (locked.revision !== revision)
      throw new ShopError("revision_conflict", {
        issues: [{ path: "revision", message: String(locked.revision) }],
      });
    const before = await getConsolePost(id, tx);
    if (before.listed && before.slug !== input.slug) throw new ShopError("post_slug_fixed");
    await requireFreeSlug(tx, input.slug, id);
    return save(tx, viewer, input, before);
  });
}

async function requireFreeSlug(tx: Tx, slug: string, id: number | null): Promise<void> {
  const [other] = await tx.select({ id: posts.id }).from(posts).where(eq(posts.slug, slug));
  if (other && other.id !== id) throw new ShopError("post_slug_taken");
}

async function save(
  tx: Tx,
  viewer: StaffViewer,
  input: PostInput,
  before: ConsolePost | null,
): Promise<PostSaved> {
  const [clock] = await tx.execute<{ today: string }>(
    sql`select to_char(shop_now() at time zone 'UTC', 'YYYY-MM-DD') as today`,
  );
  const { today } = clock!;
  const issues = await findIssues(tx, input, today, viewer.locale);
  if (issues.length > 0) throw new ShopError("post_incomplete", { issues });
  await requireNoCode(tx, [
    input.slug,
    input.author,
    ...LOCALES.flatMap((locale) => Object.values(input.texts[locale])),
  ]);
  const { listed, image, ...content } = input;
  const updated_on = [input.published_on, today].sort().at(-1)!;
  const post = { ...content, image: image ?? PLACEHOLDER, updated_on };
  const id = await writePost(tx, before?.post_id ?? null, post, { listed, edited: true });
  const revision = (before?.revision ?? 0) + 1;
  await audit(
    {
      actor: viewer.userId,
      action: actionOf(before, listed),
      subject: `post ${id}`,
      detail: changesOf(before, input),
    },
    tx,
  );
  return { post_id: id, revision, slug: input.slug, listed };
}

function actionOf(before: ConsolePost | null, listed: boolean): string {
  if (listed && !before?.listed) return "post.published";
  if (before?.listed && !listed) return "post.withdrawn";
  return before ? "post.saved" : "post.created";
}

/** What a save changes: short fields before and after, and the languages whose texts differ. */
function changesOf(before: ConsolePost | null, { texts, ...after }: PostInput) {
  const names = Object.keys(after) as (keyof typeof after)[];
  const changed = names.filter((name) => JSON.stringify(before?.[name]) !== JSON.stringify(after[name]));
  const pick = (post: Partial<typeof after> | null) =>
    Object.fromEntries(changed.map((name) => [name, post?.[name] ?? null]));
  return {
    revision: (before?.revision ?? 0) + 1,
    before: pick(before),
    after: pick(after),
    texts: LOCALES.filter(
      (locale) => JSON.stringify(before?.texts[locale]) !== JSON.stringify(texts[locale]),
    ),
  };
}

/** The problems that prevent saving. A draft may lack texts, but everything that it refers to must exist. */
async function findIssues(tx: Tx, input: PostInput, today: string, language: Locale): Promise<FieldIssue[]> {
  const issues: FieldIssue[] = [];
  const add = (path: string, why: Reason) => issues.push({ path, message: reasonIn(language, why) });
  const figures = LOCALES.flatMap((locale) =>
    input.texts[locale].body.split("\n").flatMap((line) => {
      const [, , hash] = STORED_FIGURE_LINE.exec(line) ?? [];
      return hash ? [{ path: `texts.${locale}.body`, hash }] : [];
    }),
  );
  const pictures = [...(input.image ? [{ path: "image", hash: input.image }] : []), ...figures];
  const [known] = await tx.execute<{ category: boolean; pictures: string[]; products: string[] }>(sql`
    select exists (select from categories where slug = ${input.category}) as category,
      array(select hash from product_images where hash = any(${sql.param(pictures.map(({ hash }) => hash))}::text[])) as pictures,
      array(select slug from products where slug = any(${sql.param(input.related)}::text[])) as products`);
  if (!known!.category) add("category", reason("line_category", { category: input.category }));
  for (const { path, hash } of pictures)
    if (!known!.pictures.includes(hash)) add(path, reason("line_picture"));
  for (const slug of input.related)
    if (!known!.products.includes(slug)) add("related", reason("post_product", { slug }));
  if (new Set(input.related).size < input.related.length) add("related", reason("post_product_twice"));
  if (!input.listed) return issues;
  if (input.author === "") add("author", reason("post_author"));
  if (input.published_on > today) add("published_on", reason("post_day_ahead"));
  for (const locale of LOCALES)
    for (const { field, line, ...why } of findContentProblems(input.texts[locale], locale))
      add(`texts.${locale}.${field}${line === undefined ? "" : `:${line}`}`, why);
  return issues;
}
