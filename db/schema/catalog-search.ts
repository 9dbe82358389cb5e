import { sql } from "drizzle-orm";
import { customType, index, integer, pgTable, smallint, text } from "drizzle-orm/pg-core";
import { products } from "./catalog";

const tsvector = customType<{ data: string; driverData: string }>({ dataType: () => "tsvector" });

/**
 * What the search reads (performance.md, design 6): one row for each product that is on the list, with the words of
 * every language. Written by refresh_product_documents (migration catalog_search), never by hand.
 */
export const productDocuments = pgTable(
  "product_documents",
  {
    productId: integer("product_id")
      .primaryKey()
      .references(() => products.id, { onDelete: "cascade" }),
    /** as in products: candidates are cut by it */
    sortNum: integer("sort_num").notNull(),
    /** names (A) and tagline, maker, category (B): small, for the ranking */
    head: tsvector("head").notNull(),
    /** the head, the description (D), and a mark for each kind of pass (`~week`, `~d7`) */
    document: tsvector("document").notNull(),
  },
  (t) => [
    index("product_documents_words").using("gin", t.document),
    index("product_documents_by_sort").on(sql`${t.sortNum} desc`, t.productId),
  ],
);

/** Words in Latin letters that documents hold, for slips of the finger. `rank` 0: of a name, 1: of a head, 2: others. */
export const searchVocabulary = pgTable(
  "search_words",
  { word: text("word").primaryKey(), rank: smallint("rank").notNull() },
  (t) => [index("search_words_alike").using("gin", t.word.op("gin_trgm_ops"))],
);
