import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { type CategoryRow, type SynonymsRow, toCategoryRecord } from "@/lib/catalog/import/rules";
import type { Locale } from "@/lib/platform/i18n/locales";

type Written = { revision: number };
type CategoryListRow = Omit<CategoryRow, "import_hash"> & Written & { products: number };
type SynonymsListRow = Omit<SynonymsRow, "import_hash"> & Written;

/** All categories with their records, in the order of the shop. */
export async function listEditedCategories() {
  const rows = await db.execute<CategoryListRow>(sql`
    select c.slug, c.sort_num, c.hue, c.names, c.texts, c.search_terms, c.revision, c.source, coalesce(n.total, 0) as products
    from categories c left join catalog_counts n on n.kind = 'category' and n.name = c.slug
    order by c.sort_num, c.slug`);
  return {
    items: rows.map(({ revision, source, products, ...row }) => {
      const line = toCategoryRecord(row);
      return { slug: row.slug, revision, source, products, line };
    }),
  };
}

/** All groups of synonyms with their records. */
export async function listEditedSynonyms() {
  const rows = await db.execute<SynonymsListRow>(
    sql`select slug, terms, revision, source from search_synonyms order by slug`,
  );
  return {
    items: rows.map(({ slug, terms, revision, source }) => {
      const line = { kind: "synonyms" as const, slug, terms };
      return { slug, revision, source, products: null, line };
    }),
  };
}

/** The categories with their names, as choices of a field. */
export async function listCategoryNames(locale: Locale): Promise<{ value: string; label: string }[]> {
  const rows = await db.execute<{ value: string; label: string }>(sql`
    select slug as value, coalesce(names ->> ${locale}, names ->> 'en') as label from categories order by sort_num, slug`);
  return [...rows];
}
