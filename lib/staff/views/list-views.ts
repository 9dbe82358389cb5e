import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { type ConsoleListName, mayRead } from "@/lib/staff/rules";
import type { SavedView, SavedViewList } from "@/lib/staff/views/contract";

/** The views that a staff member saved of lists that they still read, by name. There are at most MAX_VIEWS. */
export async function listViews(
  { userId, staff }: StaffViewer,
  list?: ConsoleListName,
): Promise<SavedViewList> {
  const items = await db.execute<SavedView>(sql`
    select id as view_id, list, name, filters from saved_views
    where user_id = ${userId} and ${list ? sql`list = ${list}` : sql`true`} order by list, lower(name), id`);
  const read = items.filter((view) => mayRead(staff.roles, view.list));
  return { items: read, total: read.length };
}
