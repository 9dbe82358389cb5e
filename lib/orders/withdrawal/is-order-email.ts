import { sql } from "drizzle-orm";
import { db } from "@/db/client";

/** Whether the address is the order's delivery email or its account's email. */
export async function isOrderEmail(email: string, orderId: string): Promise<boolean> {
  const rows = await db.execute(sql`
    select 1 from orders o join users u on u.id = o.user_id where o.id = ${orderId}
      and (lower(o.send_email) = ${email} or (lower(u.email) = ${email} and u.deleted_at is null))`);
  return rows.length > 0;
}
