import { sql } from "drizzle-orm";
import { versionSql } from "@/lib/platform/console/query";

/** SQL: the version of a reply `y`, which is shown under its review. */
export const REPLY_VERSION = versionSql(
  sql`y.review_id`,
  sql`y.state`,
  sql`y.text`,
  sql`(select jsonb_build_array(v.rating, v.title, v.content) from reviews v where v.id = y.review_id)`,
);
