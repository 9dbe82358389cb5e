import { sql } from "drizzle-orm";
import { replicaDb } from "@/db/client";
import { LOCALES } from "@/lib/platform/i18n/locales";
import type { SitemapPage } from "@/lib/platform/pages/sitemap";

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
