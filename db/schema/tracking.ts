import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { SEARCH_DEVICES, SOURCE_EVENTS, VISIT_DEVICES } from "@/lib/tracking/rules";
import { at, createdAt, oneOf, partitionedRowId } from "./columns";

/**
 * The tables of this file are partitioned by the month of `created_at` (docs/operations.md#partitions). drizzle knows no partitions:
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
    /** null: guest */
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
