import { type SQL, sql } from "drizzle-orm";
import {
  type AnyPgColumn,
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
import {
  type Activation,
  AVAILABILITIES,
  PASS_TYPES,
  PRICE_CHANGE_KINDS,
  RECORD_SOURCES,
  type SearchTerms,
} from "@/lib/catalog/rules";
import { BLOCK_REASONS, MERCHANT_STATES, MERCHANT_TRUST } from "@/lib/merchants/rules";
import { at, bytea, createdAt, id, oneOf, reference, rowId } from "./columns";

/** Tasks and synonyms by language, under which the search finds a product or a category. They are not shown. */
const searchTerms = () => jsonb("search_terms").$type<SearchTerms>().notNull().default({});

/**
 * How often a record was written, and by what at last. An import refuses a record that differs from one written in the console.
 */
const recordColumns = () => ({
  revision: integer("revision").notNull().default(0),
  source: text("source", { enum: RECORD_SOURCES }).notNull().default("import"),
});

export const categories = pgTable(
  "categories",
  {
    slug: text("slug").primaryKey(),
    sortNum: integer("sort_num").notNull(),
    hue: integer("hue").notNull(),
    names: jsonb("names").$type<Record<string, string>>().notNull(),
    /** A paragraph about the category by language, for its page. */
    texts: jsonb("texts").$type<Record<string, string>>().notNull().default({}),
    searchTerms: searchTerms(),
    importHash: text("import_hash").notNull(),
    ...recordColumns(),
  },
  () => [check("categories_source", oneOf("source", RECORD_SOURCES))],
);

const LATIN_VENDOR = "regexp_replace(normalize(lower(vendor), NFKD), '[\\u0300-\\u036f'']', '', 'g')";
const VENDOR_WORDS = `trim(both '-' from left(regexp_replace(${LATIN_VENDOR}, '[^a-z0-9]+', '-', 'g'), 60))`;
/**
 * "Cadrell & Daughters" → cadrell-daughters. A name with letters of another script gets a checksum, so that it is
 * unique.
 */
const VENDOR_SLUG = sql.raw(
  `case when ${LATIN_VENDOR} ~ '[^ -~]' or ${LATIN_VENDOR} !~ '[a-z0-9]' then ltrim(${VENDOR_WORDS} || '-', '-') || left(md5(vendor), 8) else ${VENDOR_WORDS} end`,
);

/**
 * Who sells here (docs/product.md#14-merchants). Each vendor of the catalogue is a merchant; one without members is looked
 * after by staff.
 */
export const merchants = pgTable(
  "merchants",
  {
    id: id(),
    /** its place in addresses: `/seller/{handle}`; at first the vendor's slug */
    handle: text("handle").notNull().unique(),
    /** approved by staff; pages and emails have no other */
    name: text("name").notNull(),
    /** the requested name, which waits for staff, and since when */
    proposedName: text("proposed_name"),
    proposedNameAt: at("proposed_name_at"),
    /** why staff refused the last one, in their words to the merchant */
    nameNote: text("name_note"),
    state: text("state", { enum: MERCHANT_STATES }).notNull().default("active"),
    trust: text("trust", { enum: MERCHANT_TRUST }).notNull().default("new"),
    /** why staff suspended or ended it, in their words to the merchant */
    stateNote: text("state_note"),
    stateAt: at("state_at").notNull().default(sql`shop_now()`),
    /** ISO code */
    country: text("country"),
    /** the language of its emails */
    locale: text("locale").notNull().default("en"),
    /** where shoppers' questions and the shop's emails go; null: to the owners */
    supportEmail: text("support_email"),
    website: text("website"),
    /** a paragraph about it by language, for its page */
    texts: jsonb("texts").$type<Record<string, string>>().notNull().default({}),
    /** closed for holidays: requests wait until then */
    closedUntil: at("closed_until"),
    /** the application that it began with */
    applicationId: text("application_id"),
    /** Codes of others among those that it imported, since staff last allowed it to add codes. */
    foreignKeys: integer("foreign_keys").notNull().default(0),
    /** since when it may add no codes, because there were too many of them; null: it may */
    keysStoppedAt: at("keys_stopped_at"),
    /** Since when its sales pause and its payouts are held, because its trader file is incomplete; null: they are not. */
    tradeHeldAt: at("trade_held_at"),
    createdAt: createdAt(),
  },
  (t) => [
    index("merchants_by_time").on(t.createdAt, t.id),
    index("merchants_by_state").on(t.state, t.createdAt, t.id),
    index("merchants_stopped").on(t.keysStoppedAt).concurrently().where(sql`keys_stopped_at is not null`),
    index("merchants_renamed").on(t.proposedNameAt).concurrently().where(sql`proposed_name_at is not null`),
    index("merchants_by_name").on(sql`lower(${t.name}) collate "C"`, t.id),
    check("merchants_state", oneOf("state", MERCHANT_STATES)),
    check("merchants_trust", oneOf("trust", MERCHANT_TRUST)),
  ],
);

export const merchantId = () => reference("merchant_id", () => merchants.id);

export const products = pgTable(
  "products",
  {
    id: integer("id").primaryKey().generatedAlwaysAsIdentity({ startWith: 1001 }),
    slug: text("slug").notNull().unique(),
    vendor: text("vendor").notNull(),
    /** Who sells it; by default the vendor's merchant (db/functions/set_product_merchant.sql). */
    merchantId: merchantId().default(sql`null`),
    /** The vendor in the address of its page. */
    vendorSlug: text("vendor_slug").notNull().generatedAlwaysAs(VENDOR_SLUG),
    /** The vendor's address for confirmations; default: the shop's support. */
    vendorEmail: text("vendor_email"),
    category: reference("category", () => categories.slug),
    /** The sha-256 of a row in product_images, or `placeholder`. */
    image: text("image").notNull(),
    sortNum: integer("sort_num").notNull(),
    activation: jsonb("activation").$type<Activation>().notNull(),
    searchTerms: searchTerms(),
    /** Staff have allowed codes that may be mistaken for words (lib/delivery/import/rules-form.ts). */
    weakKeys: boolean("weak_keys").notNull().default(false),
    /** As the record says it. */
    published: boolean("published").notNull().default(true),
    /** Why it is off the shop although it is published: the state of its merchant (lib/merchants/rules.ts). */
    blockedReason: text("blocked_reason", { enum: BLOCK_REASONS }),
    /** It is shown and sold. */
    listed: boolean("listed").notNull().generatedAlwaysAs(sql`published and blocked_reason is null`),
    importHash: text("import_hash").notNull(),
    ...recordColumns(),
    createdAt: createdAt(),
    updatedAt: at("updated_at").notNull().default(sql`shop_now()`),
  },
  (t) => [
    check("products_source", oneOf("source", RECORD_SOURCES)),
    check(
      "products_blocked_reason",
      sql`blocked_reason is null or ${oneOf("blocked_reason", BLOCK_REASONS)}`,
    ),
    index("products_of_merchant").on(t.merchantId, t.id),
    index("products_by_sort").on(t.sortNum),
    index("products_by_category").on(t.category),
    index("products_by_vendor").on(t.vendorSlug),
    // The lists of the staff console (docs/performance.md#staff-console).
    index("products_of_vendor").on(sql`${t.vendorSlug} collate "C"`, t.id),
    index("products_of_category").on(t.category, t.id),
  ],
);

export const productId = () =>
  integer("product_id")
    .notNull()
    .references(() => products.id);

/**
 * Each written record of a product, as an import reads it, with times as instants and the picture as `stored:` and its hash;
 * append-only. Products without a revision were imported before revisions were kept.
 */
export const productRevisions = pgTable(
  "product_revisions",
  {
    productId: productId(),
    revision: integer("revision").notNull(),
    line: jsonb("line").$type<Record<string, unknown>>().notNull(),
    source: text("source", { enum: RECORD_SOURCES }).notNull(),
    /** who wrote it: `import` or a user's id */
    by: text("by").notNull(),
    note: text("note"),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.productId, t.revision] }),
    check("product_revisions_source", oneOf("source", RECORD_SOURCES)),
  ],
);

export const productTexts = pgTable(
  "product_texts",
  {
    productId: productId(),
    locale: text("locale").notNull(),
    name: text("name").notNull(),
    tagline: text("tagline").notNull(),
    description: text("description").notNull(),
    includes: jsonb("includes").$type<string[]>().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.productId, t.locale] }),
    index("product_texts_by_name").on(t.locale, sql`lower(${t.name}) collate "C"`, t.productId),
  ],
);

export const productImages = pgTable(
  "product_images",
  {
    hash: text("hash").primaryKey(),
    mime: text("mime").notNull(),
    bytes: bytea("bytes").notNull(),
    /**
     * The pixels of a drawing (SVG) as WebP: pages show them, never the drawing. Empty for one that the shop does not draw;
     * null for a photo, and for a drawing that a job has not drawn yet.
     */
    drawn: bytea("drawn"),
  },
  (t) => [
    index("drawings_to_draw").on(t.hash).concurrently().where(sql`mime = 'image/svg+xml' and drawn is null`),
  ],
);

export const plans = pgTable(
  "plans",
  {
    id: integer("id").primaryKey().generatedAlwaysAsIdentity({ startWith: 5001 }),
    productId: productId(),
    type: text("type", { enum: PASS_TYPES }).notNull(),
    /** null for lifetime */
    durationDays: integer("duration_days"),
    priceCents: integer("price_cents").notNull(),
    listPriceCents: integer("list_price_cents"),
    purchaseLimit: integer("purchase_limit"),
    /** The least days between the sale of a code and its last day to redeem; null: the default (db/functions/sell_margin.sql). */
    redeemMarginDays: integer("redeem_margin_days"),
    availability: text("availability", { enum: AVAILABILITIES }).notNull(),
    releasesAt: at("releases_at"),
    /** `["worldwide"]` or ISO country codes */
    region: jsonb("region").$type<string[]>().notNull(),
    /** overrides the product's */
    activation: jsonb("activation").$type<Activation>(),
    /** What this plan includes beyond the product's list, by language; null: the same as the other plans. */
    includes: jsonb("includes").$type<Record<string, string[]>>(),
    position: integer("position").notNull(),
    listed: boolean("listed").notNull().default(true),
  },
  (t) => [
    uniqueIndex("plans_kind").on(t.productId, t.type, sql`coalesce(duration_days, 0)`),
    index("plans_of_product").on(t.productId, t.id),
    index("plans_by_duration").on(t.durationDays).concurrently(),
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
    check("plans_redeem_margin", sql`redeem_margin_days > 0`),
    check("plans_free_is_limited", sql`price_cents > 0 or purchase_limit = 1`),
    check("plans_pre_order_has_date", sql`availability <> 'pre_order' or releases_at is not null`),
  ],
);

export const planId = () =>
  integer("plan_id")
    .notNull()
    .references(() => plans.id);

/** A limited-time price. `claimed` counts units in orders that are not cancelled; the row lock serializes claims. */
export const deals = pgTable(
  "deals",
  {
    id: id(),
    planId: planId(),
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
    check("deals_price", sql`price_cents >= 50`),
  ],
);

/**
 * Each change of a price, written by triggers on plans and deals; append-only. A deal is a window from its `deal_start` to
 * its `deal_end`, which is written beforehand and lies in the future while the deal runs; a later entry of the same deal
 * replaces it. `was_cents` is null where nothing is known to come before.
 */
export const priceChanges = pgTable(
  "price_changes",
  {
    id: rowId(),
    planId: planId(),
    kind: text("kind", { enum: PRICE_CHANGE_KINDS }).notNull(),
    /** the regular price, the list price (null: removed), the deal's price, or the regular price after the deal */
    cents: integer("cents"),
    wasCents: integer("was_cents"),
    at: at("at").notNull(),
    /** the deal of a `deal_start` or `deal_end` */
    dealId: text("deal_id"),
    /** who changed it: `import`, a user's id, or `system` */
    by: text("by").notNull(),
  },
  (t) => [
    index("price_changes_of_plan").on(t.planId, t.at),
    check("price_changes_kind", oneOf("kind", PRICE_CHANGE_KINDS)),
    check("price_changes_deal", sql`(kind in ('deal_start', 'deal_end')) = (deal_id is not null)`),
    check("price_changes_cents", sql`cents is not null or kind = 'list'`),
  ],
);

type Columns = readonly [AnyPgColumn | SQL, ...(AnyPgColumn | SQL)[]];

/** Each listed plan with its current price, deal and stock. Written by write_listing_index at the commit of a change. */
export const listingIndex = pgTable(
  "listing_index",
  {
    planId: integer("plan_id")
      .primaryKey()
      .references(() => plans.id, { onDelete: "cascade" }),
    productId: integer("product_id").notNull(),
    /** `sortNum`, `category` and `vendor` as in products */
    sortNum: integer("sort_num").notNull(),
    category: text("category").notNull(),
    vendor: text("vendor").notNull(),
    type: text("type").notNull(),
    durationDays: integer("duration_days"),
    position: integer("position").notNull(),
    priceCents: integer("price_cents").notNull(),
    /** null: lifetime */
    pricePerDayCents: integer("price_per_day_cents"),
    /** end of the running deal with units left */
    dealEndsAt: at("deal_ends_at"),
    inStock: boolean("in_stock").notNull(),
    /** in stock or available for pre-order */
    buyable: boolean("buyable").notNull(),
    /** the shown plan of its product, overall and of its type */
    best: boolean("best").notNull(),
    bestOfType: boolean("best_of_type").notNull(),
    /** when it changes by time alone; null: never */
    changesAt: at("changes_at"),
  },
  (t) => {
    const usual = [sql`${t.sortNum} desc`, t.productId] as const;
    const priced = [t.priceCents, ...usual] as const;
    const expensive = [sql`${t.priceCents} desc`, ...usual] as const;
    const daily = [t.pricePerDayCents, ...usual] as const;
    /** An index for each sort order of the lists, alone or after another column. */
    const sorted = (name: string, where: SQL, first?: AnyPgColumn) =>
      Object.entries({ "": usual, _price: priced, _price_desc: expensive, _daily_price: daily }).map(
        ([suffix, order]) => {
          const columns: Columns = first ? [first, ...order] : order;
          return index(`listing_index_${name}${suffix}`)
            .on(...columns)
            .where(where);
        },
      );
    return [
      index("listing_index_by_product").on(t.productId),
      ...sorted("best", sql`best`),
      ...sorted("category", sql`best`, t.category),
      ...sorted("type", sql`best_of_type`, t.type),
      // A type within a category has a few hundred rows, which are sorted each time.
      index("listing_index_category_type")
        .on(t.category, t.type, ...usual)
        .where(sql`best_of_type`),
      // The price that is not the sort key comes last, so that the index filters by it.
      index("listing_index_price").on(...priced, t.pricePerDayCents),
      index("listing_index_price_desc").on(...expensive, t.pricePerDayCents),
      index("listing_index_daily_price").on(...daily, t.priceCents),
      index("listing_index_free")
        .on(...usual)
        .where(sql`price_cents = 0`),
      index("listing_index_deals").on(t.dealEndsAt).where(sql`deal_ends_at is not null`),
      index("listing_index_changing").on(t.changesAt).where(sql`changes_at is not null`),
    ];
  },
);

/** Products whose price, plans or stock changed since the listing index was written. Empty between commits. */
export const listingIndexQueue = pgTable("listing_index_queue", {
  id: rowId(),
  productId: integer("product_id").notNull(),
});

/** Numbers of listed products by category and by vendor, of plans (`plan`, '') and of vendors (`vendors`, ''). */
export const catalogCounts = pgTable(
  "catalog_counts",
  { kind: text("kind").notNull(), name: text("name").notNull(), total: integer("total").notNull() },
  (t) => [primaryKey({ columns: [t.kind, t.name] })],
);

const tsvector = customType<{ data: string; driverData: string }>({ dataType: () => "tsvector" });

/** One row for each listed product: the words of all languages in one vector. Written by refresh_search_documents. */
export const searchDocuments = pgTable(
  "search_documents",
  {
    productId: integer("product_id")
      .primaryKey()
      .references(() => products.id, { onDelete: "cascade" }),
    /** as in products: candidates are taken in this order */
    sortNum: integer("sort_num").notNull(),
    /**
     * names (A), taglines, vendor and category (B), search terms and their synonyms (C), descriptions (D), and filter
     * terms such as `type:week`
     */
    document: tsvector("document").notNull(),
  },
  (t) => [
    index("search_documents_by_word").using("gin", t.document),
    index("search_documents_by_sort").on(sql`${t.sortNum} desc`, t.productId),
  ],
);

/**
 * Latin words of search documents, for typos and inflections. `rank` 0: of a name, 1: of tagline, vendor, category or
 * search terms, 2: others.
 */
export const searchVocabulary = pgTable(
  "search_vocabulary",
  {
    word: text("word").primaryKey(),
    rank: smallint("rank").notNull(),
    /** the English stem, which all inflections of a word share */
    stem: text("stem").generatedAlwaysAs(sql`coalesce((ts_lexize('english_stem', word))[1], word)`),
  },
  (t) => [
    index("search_vocabulary_trigrams").using("gin", t.word.op("gin_trgm_ops")),
    index("search_vocabulary_by_stem").on(t.stem),
  ],
);

/** Groups of words with one meaning for the whole shop, by language. A product found by one is found by all. */
export const searchSynonyms = pgTable(
  "search_synonyms",
  {
    slug: text("slug").primaryKey(),
    terms: jsonb("terms").$type<SearchTerms>().notNull(),
    /** a tsquery that matches a document with one of the terms in name, tagline, vendor, category or search terms */
    query: text("query").notNull(),
    importHash: text("import_hash").notNull(),
    ...recordColumns(),
  },
  () => [check("search_synonyms_source", oneOf("source", RECORD_SOURCES))],
);
