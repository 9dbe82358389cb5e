import { sql } from "drizzle-orm";
import { boolean, check, index, integer, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { at, bytea, byteOrderedText, createdAt, rowId, transactionNumber } from "./columns";

/** Responses stored for 24 h under the client's Idempotency-Key (lib/platform/api/idempotency.ts). */
export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    owner: text("owner").notNull(),
    key: text("key").notNull(),
    requestHash: text("request_hash").notNull(),
    httpStatus: integer("http_status"),
    body: jsonb("body").$type<{ answer?: unknown }>(),
    createdAt: createdAt(),
    lockedUntil: at("locked_until").notNull(),
  },
  (t) => [primaryKey({ columns: [t.owner, t.key] }), index("idempotency_keys_age").on(t.createdAt)],
);

/** Rate-limit counters of fixed windows (lib/platform/rate-limit.ts). */
export const rateLimits = pgTable(
  "rate_limits",
  {
    bucket: byteOrderedText("bucket").primaryKey(),
    hits: integer("hits").notNull(),
    endsAt: at("ends_at").notNull(),
  },
  (t) => [index("rate_limits_age").on(t.endsAt)],
);

/** The audit log, append-only. */
export const auditEntries = pgTable(
  "audit_entries",
  {
    id: rowId(),
    actor: text("actor").notNull(),
    action: text("action").notNull(),
    subject: text("subject").notNull(),
    detail: jsonb("detail").$type<Record<string, unknown>>(),
    createdAt: createdAt(),
    /** The transaction that wrote the entry; 0: written before the column existed. */
    xact: transactionNumber("xact").notNull().default(sql`pg_current_xact_id()`),
  },
  (t) => [index("audit_by_subject").on(t.subject, t.id), index("audit_by_actor").on(t.actor, t.id)],
);

/** How far jobs have come that read a table piece by piece (lib/platform/jobs/progress.ts). */
export const jobProgress = pgTable("job_progress", {
  name: text("name").primaryKey(),
  place: text("place").notNull(),
  updatedAt: at("updated_at").notNull().default(sql`shop_now()`),
});

/** Files for machines of any size, such as the product feed: the newest version of each (lib/platform/generated-files.ts). */
export const generatedFiles = pgTable("generated_files", {
  path: text("path").primaryKey(),
  version: text("version").notNull(),
  /** When the making began: changes before it are in the file. */
  madeAt: at("made_at").notNull(),
  tookMs: integer("took_ms").notNull(),
});

/** The compressed bytes of a version, in order. Those of older ones stay for an hour, for their readers. */
export const generatedFileParts = pgTable(
  "generated_file_parts",
  {
    version: text("version").notNull(),
    part: integer("part").notNull(),
    bytes: bytea("bytes").notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.version, t.part] })],
);

/** At most one row: while it exists, the shop is closed (lib/platform/shop-closure.ts). */
export const shopClosure = pgTable(
  "shop_closure",
  {
    id: boolean("id").primaryKey().default(true),
    reason: text("reason").notNull(),
    by: text("by").notNull(),
    createdAt: createdAt(),
  },
  () => [check("shop_closure_single", sql`id`)],
);
