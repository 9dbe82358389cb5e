import { sql } from "drizzle-orm";
import { type Db, db } from "@/db/client";
import { mayStaff } from "@/lib/platform/auth/permissions";
import { type Mentionable, mentionNames } from "@/lib/staff/notes/rules";
import type { NoteSubject } from "@/lib/staff/rules";

const READS = { order: "orders.read", customer: "customers.read" } as const;

/** Those whom a note about an order or a customer may name: staff who may read it, by address. */
export async function listMentionable(about: NoteSubject, tx: Db = db): Promise<Mentionable[]> {
  const people = await tx.execute<{ user_id: string; email: string; roles: string[] }>(sql`
    select u.id as user_id, u.email, m.roles from staff_members m join users u on u.id = m.user_id
    where m.ended_at is null and u.role = 'staff' and u.deleted_at is null order by lower(u.email)`);
  return mentionNames(people.filter(({ roles }) => mayStaff(roles, READS[about])));
}
