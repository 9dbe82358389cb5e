import { sql } from "drizzle-orm";
import { check, date, index, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { SEARCH_DEVICES, SOURCE_EVENTS, SOURCE_KINDS, VISIT_DEVICES } from "@/lib/tracking/rules";
import { at, createdAt, oneOf, partitionedRowId } from "./columns";

/**
 * Visits, searches and source events are partitioned by the month of `created_at` (docs/operations.md#partitions). drizzle knows no partitions:
 * db/migrations made them, db/functions/create_partitions.sql makes the next ones.
 */

/** A page view (docs/product.md#32-records-of-visits-and-searches). No user, full address or query; kept 90 days. */
export const visits = pgTable(
  "visits",
  {
    id: partitionedRowId(),
    /** the desktop path without locale, query or fragment */
    path: text("path").notNull(),
    locale: text("locale").notNull(),
    deviceType: text("device_type", { enum: VISIT_DEVICES }).notNull(),
    deviceModel: text("device_model"),
    language: text("language"),
    /** the truncated address: 203.0.113.0, 2001:db8:1:: */
    ipNetwork: text("ip_network"),
    /** the source of the visitor's attribution; null: none */
    source: text("source"),
    createdAt: createdAt(),
  },
  (t) => [
    index("visits_by_path").on(t.path, t.createdAt),
    index("visits_by_time").on(t.createdAt),
    check("visits_device", oneOf("device_type", VISIT_DEVICES)),
  ],
);

/** One search (docs/product.md#32-records-of-visits-and-searches). */
export const searches = pgTable(
  "searches",
  {
    id: partitionedRowId(),
    /** `guest` without an account */
    userId: text("user_id"),
    content: text("content").notNull(),
    locale: text("locale").notNull(),
    deviceType: text("device_type", { enum: SEARCH_DEVICES }).notNull(),
    deviceModel: text("device_model"),
    language: text("language"),
    region: text("region"),
    createdAt: createdAt(),
  },
  (t) => [
    index("searches_by_time").on(t.createdAt),
    index("searches_of_user").on(t.userId),
    check("searches_device", oneOf("device_type", SEARCH_DEVICES)),
  ],
);

/** An arrival with attribution, or an order on its way (docs/product.md#32-records-of-visits-and-searches). */
export const sourceEvents = pgTable(
  "source_events",
  {
    id: partitionedRowId(),
    eventType: text("event_type", { enum: SOURCE_EVENTS }).notNull(),
    landingPage: text("landing_page"),
    referrer: text("referrer"),
    source: text("source"),
    campaign: text("campaign"),
    medium: text("medium"),
    content: text("content"),
    marketingUserId: text("marketing_user_id"),
    trackingId: text("tracking_id"),
    userId: text("user_id"),
    orderId: text("order_id"),
    productId: integer("product_id"),
    planId: integer("plan_id"),
    ipNetwork: text("ip_network"),
    /** a keyed hash of the visitor for a day; holds the report window */
    visitor: text("visitor"),
    /** the time sent by the browser */
    happenedAt: at("happened_at"),
    createdAt: createdAt(),
  },
  (t) => [
    index("source_events_by_time").on(t.createdAt),
    index("source_events_of_order").on(t.orderId),
    index("source_events_of_user").on(t.userId, t.createdAt).where(sql`user_id is not null`),
    index("source_events_of_visitor").on(t.visitor, t.createdAt).where(sql`visitor is not null`),
    check("source_events_type", oneOf("event_type", SOURCE_EVENTS)),
  ],
);

/** What happened on a day or in a period with one source. */
const sourceFigureColumns = () => ({
  kind: text("kind", { enum: SOURCE_KINDS }).notNull(),
  /** the source's name; empty unless the kind is `named` */
  source: text("source").notNull(),
  /** page views */
  visits: integer("visits").notNull(),
  /** those of them that show a product */
  productViews: integer("product_views").notNull(),
  /** carts that were begun, those that became orders included */
  carts: integer("carts").notNull(),
  orders: integer("orders").notNull(),
  /** orders that were paid, whenever they were placed */
  paid: integer("paid").notNull(),
});

/** The funnel of a day (UTC) by source, kept as long as visits. */
export const sourceFiguresDaily = pgTable(
  "source_figures_daily",
  { day: date("day").notNull(), ...sourceFigureColumns() },
  (t) => [
    primaryKey({ columns: [t.day, t.kind, t.source] }),
    index("source_figures_daily_of_source").on(t.kind, t.source, t.day),
    check("source_figures_daily_kind", oneOf("kind", SOURCE_KINDS)),
  ],
);

/** The sums of source_figures_daily over the last days, today included. */
export const sourceFigures = pgTable(
  "source_figures",
  { days: integer("days").notNull(), ...sourceFigureColumns() },
  (t) => [
    primaryKey({ columns: [t.days, t.kind, t.source] }),
    index("source_figures_by_visits").on(t.days, t.visits, t.kind, t.source).where(sql`kind <> 'all'`),
    check("source_figures_kind", oneOf("kind", SOURCE_KINDS)),
  ],
);

/** Searches of the last weeks that find nothing, as the search answers them today; counted every night. */
export const emptySearches = pgTable(
  "empty_searches",
  {
    /** folded, as the search compares it */
    content: text("content").notNull(),
    locale: text("locale").notNull(),
    /** how often it was searched; those of one person count each */
    searches: integer("searches").notNull(),
    lastAt: at("last_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.content, t.locale] }),
    index("empty_searches_by_count").on(t.searches, t.content, t.locale),
  ],
);
