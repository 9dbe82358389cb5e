import { sql } from "drizzle-orm";
import type { Db, Tx } from "@/db/client";
import { requireShownRow, versionSql } from "@/lib/platform/console/query";
import type { SeenVersion } from "@/lib/platform/console/version";

/** SQL: the version of a change `c`: what it says, and the product on which it is shown. */
export const CHANGE_VERSION = versionSql(
  sql`c.id`,
  sql`c.state`,
  sql`c.base_revision`,
  sql`c.content`,
  sql`(select p.revision from products p where p.id = c.product_id)`,
);

/** SQL: the version of a change `c` for its merchant: what it says, and what staff answered. */
export const OWN_VERSION = versionSql(
  sql`c.id`,
  sql`c.state`,
  sql`c.base_revision`,
  sql`c.content`,
  sql`c.note`,
);

/**
 * Rejects an action on a merchant's own, locked change if it differs from what was shown.
 * @throws ShopError revision_conflict
 */
export const requireShownChange = (tx: Tx, seen: SeenVersion, id: string): Promise<void> =>
  requireShownRow(tx, seen, { version: OWN_VERSION, from: sql`product_changes c where c.id = ${id}` });

/** The version of a change for its merchant. */
export async function readOwnVersion(tx: Db, id: string): Promise<string> {
  const [row] = await tx.execute<{ version: string }>(
    sql`select ${OWN_VERSION} as version from product_changes c where c.id = ${id}`,
  );
  return row!.version;
}
