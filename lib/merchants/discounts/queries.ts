import { sql } from "drizzle-orm";
import { versionSql } from "@/lib/platform/console/query";

/** SQL: the shop's part `d` of a merchant's sales is high, and staff have not looked at it. */
export const WAITS_FOR_LOOK = sql`d.high_since is not null and d.looked_at is null`;

/** SQL: the version of the shop's part `d`, with the sums that staff see. */
export const DISCOUNTS_VERSION = versionSql(
  sql`d.merchant_id`,
  sql`d.gross_cents`,
  sql`d.discount_cents`,
  sql`d.high_since`,
  sql`d.looked_at`,
);
