import { eq, sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { posts, postTexts } from "@/db/schema/blog";
import type { ContentFile } from "@/lib/platform/content/content-file";
import { LOCALES, type Locale } from "@/lib/platform/i18n/locales";

/** A post as a file of an import or the editor of the console gives it. */
export type PostContent = {
  slug: string;
  author: string;
  category: string;
  /** the hash of the post's picture, or the placeholder */
  image: string;
  recommended: boolean;
  related: readonly string[];
  published_on: string;
  updated_on: string;
  texts: Record<Locale, ContentFile>;
};

/** Serializes the writes of a post's address, so that two new posts cannot have the same. Taken before the row is locked. */
export const lockPostSlug = (tx: Tx, slug: string) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`post ${slug}`}, 0))`);

/** Writes a post in all languages as its next revision, and returns its id. `id`: null for a new post. */
export async function writePost(
  tx: Tx,
  id: number | null,
  { texts, published_on, updated_on, related, ...columns }: PostContent,
  state: { listed: boolean; importHash?: string; edited: boolean },
): Promise<number> {
  const row = {
    ...columns,
    ...state,
    related: [...related],
    publishedAt: new Date(`${published_on}T00:00:00Z`),
    updatedAt: new Date(`${updated_on}T00:00:00Z`),
  };
  const [stored] =
    id === null
      ? await tx
          .insert(posts)
          .values({ importHash: "", ...row })
          .returning({ id: posts.id })
      : await tx
          .update(posts)
          .set({ ...row, revision: sql`${posts.revision} + 1` })
          .where(eq(posts.id, id))
          .returning({ id: posts.id });
  for (const locale of LOCALES) {
    const { title, description, body } = texts[locale];
    const text = { title, description, body };
    await tx
      .insert(postTexts)
      .values({ postId: stored!.id, locale, ...text })
      .onConflictDoUpdate({ target: [postTexts.postId, postTexts.locale], set: text });
  }
  return stored!.id;
}
