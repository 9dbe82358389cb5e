import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { type ConsoleListName, mayRead } from "@/lib/staff/rules";
import type { SavedView, SavedViewList } from "@/lib/staff/views/contract";

/** Shared views of others that are read at most. */
const MAX_SHARED = 200;

/** The views that a staff member saved, and those that others share, of lists that they read: own ones first, by name. */
export async function listViews(
  { userId, staff }: StaffViewer,
  list?: ConsoleListName,
): Promise<SavedViewList> {
  const items = await db.execute<SavedView>(sql`
    select id as view_id, list, name, filters, shared, user_id = ${userId} and is_default as is_default, user_id = ${userId} as own
    from saved_views where (user_id = ${userId} or shared) and ${list ? sql`list = ${list}` : sql`true`}
    order by list, user_id = ${userId} desc, lower(name), id limit ${MAX_SHARED}`);
  const read = items.filter((view) => mayRead(staff.roles, view.list));
  return { items: read, total: read.length };
}
