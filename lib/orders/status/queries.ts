import { sql } from "drizzle-orm";
import { versionSql } from "@/lib/platform/console/query";

/** SQL: the version of an order `o`: its state. What was ordered never changes. */
export const ORDER_VERSION = versionSql(sql`o.id, o.status, o.cancel_requested_at is not null`);
