import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { AVAILABILITIES, PASS_TYPES } from "@/lib/catalog/rules";
import { at, bytea, createdAt, id, oneOf } from "./columns";

export const categories = pgTable("categories", {
  slug: text("slug").primaryKey(),
  sortNum: integer("sort_num").notNull(),
  hue: integer("hue").notNull(),
  names: jsonb("names").$type<Record<string, string>>().notNull(),
  importHash: text("import_hash").notNull(),
});

export type Activation = { url: string | null; steps: Record<string, string[]> };

export const products = pgTable(
  "products",
  {
    id: integer("id").primaryKey().generatedAlwaysAsIdentity({ startWith: 1001 }),
    slug: text("slug").notNull().unique(),
    maker: text("maker").notNull(),
    /** Who is asked whether a code was used; without it the shop's own support. */
    makerEmail: text("maker_email"),
    category: text("category")
      .notNull()
      .references(() => categories.slug),
    /** `emblem:SEED` for generated artwork, or the sha-256 of a row in product_images. */
    image: text("image").notNull(),
    sortNum: integer("sort_num").notNull(),
    activation: jsonb("activation").$type<Activation>().notNull(),
    listed: boolean("listed").notNull().default(true),
    importHash: text("import_hash").notNull(),
    createdAt: createdAt(),
    updatedAt: at("updated_at").notNull().default(sql`shop_now()`),
  },
  (t) => [index("products_by_sort").on(t.sortNum), index("products_by_category").on(t.category)],
);

export const productTexts = pgTable(
  "product_texts",
  {
    productId: integer("product_id")
      .notNull()
      .references(() => products.id),
    locale: text("locale").notNull(),
    name: text("name").notNull(),
    tagline: text("tagline").notNull(),
    description: text("description").notNull(),
    includes: jsonb("includes").$type<string[]>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.productId, t.locale] })],
);

export const productImages = pgTable("product_images", {
  hash: text("hash").primaryKey(),
  mime: text("mime").notNull(),
  bytes: bytea("bytes").notNull(),
});

export const plans = pgTable(
  "plans",
  {
    id: integer("id").primaryKey().generatedAlwaysAsIdentity({ startWith: 5001 }),
    productId: integer("product_id")
      .notNull()
      .references(() => products.id),
    type: text("type", { enum: PASS_TYPES }).notNull(),
    /** null for lifetime */
    durationDays: integer("duration_days"),
    priceCents: integer("price_cents").notNull(),
    listPriceCents: integer("list_price_cents"),
    purchaseLimit: integer("purchase_limit"),
    availability: text("availability", { enum: AVAILABILITIES }).notNull(),
    releasesAt: at("releases_at"),
    /** `["worldwide"]` or ISO country codes */
    region: jsonb("region").$type<string[]>().notNull(),
    /** overrides the product's */
    activation: jsonb("activation").$type<Activation>(),
    position: integer("position").notNull(),
    listed: boolean("listed").notNull().default(true),
  },
  (t) => [
    uniqueIndex("plans_kind").on(t.productId, t.type, sql`coalesce(duration_days, 0)`),
    index("plans_to_release").on(t.releasesAt).where(sql`releases_at is not null`),
    check("plans_type", oneOf("type", PASS_TYPES)),
    check("plans_availability", oneOf("availability", AVAILABILITIES)),
    check(
      "plans_price",
      sql`price_cents >= 0 and (list_price_cents is null or list_price_cents > price_cents)`,
    ),
    check(
      "plans_duration",
      sql`(type = 'lifetime') = (duration_days is null) and coalesce(duration_days, 1) > 0`,
    ),
    check("plans_free_is_limited", sql`price_cents > 0 or purchase_limit = 1`),
    check("plans_pre_order_has_date", sql`availability <> 'pre_order' or releases_at is not null`),
  ],
);

/** A limited-time price. `claimed` counts units in orders that are not cancelled; the row lock is the gate. */
export const deals = pgTable(
  "deals",
  {
    id: id(),
    planId: integer("plan_id")
      .notNull()
      .references(() => plans.id),
    priceCents: integer("price_cents").notNull(),
    endsAt: at("ends_at").notNull(),
    quantity: integer("quantity").notNull(),
    claimed: integer("claimed").notNull().default(0),
    createdAt: createdAt(),
    endedAt: at("ended_at"),
  },
  (t) => [
    uniqueIndex("deals_one_per_plan").on(t.planId).where(sql`ended_at is null`),
    index("deals_to_end").on(t.endsAt).where(sql`ended_at is null`),
    check("deals_claimed", sql`claimed between 0 and quantity`),
    check("deals_price", sql`price_cents >= 0`),
  ],
);

/**
 * What the lists read: each plan on the list as it is offered now, its running deal and stock included. Written by
 * write_offers (migration offers) only; what changed since, or changes with time, is settled before a list is read.
 */
export const planOffers = pgTable(
  "plan_offers",
  {
    planId: integer("plan_id")
      .primaryKey()
      .references(() => plans.id, { onDelete: "cascade" }),
    productId: integer("product_id").notNull(),
    /** these three as in products */
    sortNum: integer("sort_num").notNull(),
    category: text("category").notNull(),
    maker: text("maker").notNull(),
    type: text("type").notNull(),
    durationDays: integer("duration_days"),
    position: integer("position").notNull(),
    cents: integer("cents").notNull(),
    /** null: lifetime */
    perDay: integer("per_day"),
    /** end of the running deal that it has units of */
    dealEndsAt: at("deal_ends_at"),
    inStock: boolean("in_stock").notNull(),
    /** in stock or to be ordered ahead */
    buyable: boolean("buyable").notNull(),
    /** the one that its product is shown with, of all and of those of its type */
    best: boolean("best").notNull(),
    bestOfType: boolean("best_of_type").notNull(),
    /** when time alone changes it; null: never */
    changesAt: at("changes_at"),
  },
  (t) => {
    const usual = [sql`${t.sortNum} desc`, t.productId] as const;
    const priced = [t.cents, ...usual] as const;
    const dear = [sql`${t.cents} desc`, ...usual] as const;
    const daily = [t.perDay, ...usual] as const;
    const best = sql`best`;
    const ofType = sql`best_of_type`;
    return [
      index("plan_offers_by_product").on(t.productId),
      index("plan_offers_best")
        .on(...usual)
        .where(best),
      index("plan_offers_best_cheap")
        .on(...priced)
        .where(best),
      index("plan_offers_best_dear")
        .on(...dear)
        .where(best),
      index("plan_offers_best_daily")
        .on(...daily)
        .where(best),
      index("plan_offers_category")
        .on(t.category, ...usual)
        .where(best),
      index("plan_offers_category_cheap")
        .on(t.category, ...priced)
        .where(best),
      index("plan_offers_category_dear")
        .on(t.category, ...dear)
        .where(best),
      index("plan_offers_category_daily")
        .on(t.category, ...daily)
        .where(best),
      index("plan_offers_type")
        .on(t.type, ...usual)
        .where(ofType),
      index("plan_offers_type_cheap")
        .on(t.type, ...priced)
        .where(ofType),
      index("plan_offers_type_dear")
        .on(t.type, ...dear)
        .where(ofType),
      index("plan_offers_type_daily")
        .on(t.type, ...daily)
        .where(ofType),
      // A kind within a category is a few hundred: they are sorted for each order.
      index("plan_offers_category_type")
        .on(t.category, t.type, ...usual)
        .where(ofType),
      // The price that the list is not sorted by stands last: what does not meet it is passed by within the index.
      index("plan_offers_cheap").on(...priced, t.perDay),
      index("plan_offers_dear").on(...dear, t.perDay),
      index("plan_offers_daily").on(...daily, t.cents),
      index("plan_offers_free")
        .on(...usual)
        .where(sql`cents = 0`),
      index("plan_offers_deals").on(t.dealEndsAt).where(sql`deal_ends_at is not null`),
      index("plan_offers_changing").on(t.changesAt).where(sql`changes_at is not null`),
    ];
  },
);

/** Products of which a price, a plan or stock changed since their offers were written. */
export const offersDue = pgTable("offers_due", {
  id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  productId: integer("product_id").notNull(),
});

/** How many products are listed, by category and by maker, and how many plans (`plan`, '') and makers (`makers`, ''). */
export const catalogCounts = pgTable(
  "catalog_counts",
  { kind: text("kind").notNull(), name: text("name").notNull(), total: integer("total").notNull() },
  (t) => [primaryKey({ columns: [t.kind, t.name] })],
);

const tsvector = customType<{ data: string; driverData: string }>({ dataType: () => "tsvector" });

/**
 * What the search reads (docs/decisions/0012-search-in-postgres.md): one row for each product that is on the list, with the words of
 * every language. Written by refresh_product_documents (migration catalog_search), never by hand.
 */
export const productDocuments = pgTable(
  "product_documents",
  {
    /** No reference: laying them out would have to stop all reading of products. One with plans cannot go. */
    productId: integer("product_id").primaryKey(),
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

/**
 * How far down the list of the most wanted the first so many documents reach, as a question for their marks
 * (migration search_depths). Measured now and then: what it says need not be exact, what is found always is.
 */
export const searchDepths = pgTable("search_depths", {
  depth: integer("depth").primaryKey(),
  reach: text("reach").notNull(),
});
