import { eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { merchantApplications } from "@/db/schema/merchants";
import { versionSql } from "@/lib/platform/console/query";

export type Application = typeof merchantApplications.$inferSelect & { version: string };

/** SQL: the version of an application `a`, or of another alias. */
export const applicationVersionSql = (a: string): SQL<string> =>
  versionSql(sql.raw(`${a}.id, ${a}.email, ${a}.product_url, ${a}.phone_num, ${a}.locale, ${a}.state`));

const COLUMNS = {
  ...getTableColumns(merchantApplications),
  version: applicationVersionSql("merchant_applications"),
};

/** Open applications, oldest first; `all` includes decided ones. */
export const listApplications = ({ all = false } = {}): Promise<Application[]> =>
  db
    .select(COLUMNS)
    .from(merchantApplications)
    .where(all ? undefined : eq(merchantApplications.state, "received"))
    .orderBy(merchantApplications.createdAt, merchantApplications.id)
    .limit(500);

export async function findApplication(id: string): Promise<Application | null> {
  const [row] = await db.select(COLUMNS).from(merchantApplications).where(eq(merchantApplications.id, id));
  return row ?? null;
}
