import { client } from "@/db/client";
import { LOCALES } from "@/lib/platform/i18n/locales";
import type { SitemapPage } from "@/lib/platform/pages/sitemap";

const AT_ONCE = 500;

/** The sitemap file of the posts and its last change; empty without posts. */
export async function listPostSitemaps(): Promise<{ file: string; lastModified: string }[]> {
  const [row] = await client()<{ at: string | null }[]>`select max(updated_at) as at from posts where listed`;
  return row?.at ? [{ file: "posts.xml", lastModified: row.at }] : [];
}

/** Streams every post; the import guarantees all languages. */
export async function* streamPostPages(): AsyncGenerator<SitemapPage> {
  const rows = client()<{ slug: string; at: string }[]>`
    select slug, updated_at as at from posts where listed order by id`.cursor(AT_ONCE);
  for await (const batch of rows)
    for (const { slug, at } of batch)
      yield { path: `/blog/detail/${slug}`, languages: LOCALES, lastModified: at };
}
