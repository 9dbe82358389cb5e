import { sql } from "drizzle-orm";
import { boolean, index, integer, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { categories } from "./catalog";
import { at, reference } from "./columns";

/** Imported from content files (db/seed/blog), or written in the console. */
export const posts = pgTable(
  "posts",
  {
    id: integer("id").primaryKey().generatedAlwaysAsIdentity({ startWith: 301 }),
    slug: text("slug").notNull().unique(),
    author: text("author").notNull(),
    category: reference("category", () => categories.slug),
    /** As `products.image`. */
    image: text("image").notNull().default("placeholder"),
    recommended: boolean("recommended").notNull().default(false),
    /** slugs of the related products, best first */
    related: jsonb("related").$type<string[]>().notNull(),
    publishedAt: at("published_at").notNull(),
    updatedAt: at("updated_at").notNull(),
    /** false: a draft */
    listed: boolean("listed").notNull().default(true),
    /** The content of the last import; empty for a post of the console. */
    importHash: text("import_hash").notNull(),
    /** Counts the changes, so that two people do not overwrite each other. */
    revision: integer("revision").notNull().default(1),
    /** Edited in the console since its last import, which then refuses other content. */
    edited: boolean("edited").notNull().default(false),
  },
  (t) => [
    // The list of the staff console.
    index("posts_by_time").on(t.publishedAt, t.id),
    index("posts_newest").on(t.publishedAt.desc(), t.id.desc()).where(sql`listed`),
  ],
);

export const postTexts = pgTable(
  "post_texts",
  {
    postId: integer("post_id")
      .notNull()
      .references(() => posts.id),
    locale: text("locale").notNull(),
    title: text("title").notNull(),
    description: text("description").notNull(),
    /** Markdown with the placeholders of lib/blog/rules.ts */
    body: text("body").notNull(),
  },
  (t) => [primaryKey({ columns: [t.postId, t.locale] })],
);
