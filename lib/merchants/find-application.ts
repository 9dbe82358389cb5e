import { eq, type SQL, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { merchantApplications } from "@/db/schema/merchants";
import { versionSql } from "@/lib/platform/console/query";

/** SQL: the version of an application `a`, or of another alias. */
export const applicationVersionSql = (a: string): SQL<string> =>
  versionSql(sql.raw(`${a}.id, ${a}.email, ${a}.product_url, ${a}.phone_num, ${a}.locale, ${a}.state`));

export async function findApplication(id: string): Promise<typeof merchantApplications.$inferSelect | null> {
  const [row] = await db.select().from(merchantApplications).where(eq(merchantApplications.id, id));
  return row ?? null;
}
