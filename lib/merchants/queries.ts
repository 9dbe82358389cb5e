import { eq } from "drizzle-orm";
import { db } from "@/db/client";
import { merchantApplications } from "@/db/schema/merchants";

export type Application = typeof merchantApplications.$inferSelect;

/** Open applications, oldest first; `all` includes decided ones. */
export const listApplications = ({ all = false } = {}): Promise<Application[]> =>
  db
    .select()
    .from(merchantApplications)
    .where(all ? undefined : eq(merchantApplications.state, "received"))
    .orderBy(merchantApplications.createdAt, merchantApplications.id)
    .limit(500);

export async function findApplication(id: string): Promise<Application | null> {
  const [row] = await db.select().from(merchantApplications).where(eq(merchantApplications.id, id));
  return row ?? null;
}
